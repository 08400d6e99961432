"""How much may a kernel still do after its end without the judge's clock or its copy showing it?

``python benchmarks/late.py --out benchmarks/results/late.json`` needs one NVIDIA GPU and about half a minute. The
submission leaves its vector addition to a second stream that starts at the gate, behind a delay, and ends at once: what
the judge copies depends on how long the device takes to change over to the judge. One line for each size and case:

- ``form``: ``honest``, the kernel of that size as it should be; ``fork``, the second stream waits for the first one,
  which waits at the gate; ``gate``, the second stream waits for the judge's flag itself, which the submission finds in
  its own process, so that neither the fork nor the event at the start holds it up.
- ``T``: the judge's clock, beside that of the honest kernel of the same size, medians in us.
- ``right``: share of calls whose copy holds the right values all the same.
- ``shadow``: honest T plus the delay, less T: work that the clock does not show.
- ``quiet``: T of calls that their process takes no time of, and their shadow.
"""

from __future__ import annotations

import argparse
import datetime
import json
import statistics
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
from clock import place
from gate import DTYPE, machine

from kernelbot_core.engine.accept import accept
from kernelbot_core.engine.devices import find_device
from kernelbot_core.judge.session import JudgeSession
from kernelbot_core.packs.find import resolve
from kernelbot_core.plugins import registry
from kernelbot_core.runner.folder import JobFolder
from kernelbot_core.runner.local import JobRunner
from kernelbot_core.runner.prepare import make_order
from kernelbot_core.settings import load_settings
from kernelbot_gpu_nvidia._gate import GO

SIZES = (512 << 10, 6 << 20, 17 << 20, 68 << 20)
FORK_DELAYS = (0, 10, 20, 40, 80, 120, 160, 300, 1000)
GATE_DELAYS = (0, 10, 100)
CASES = (("honest", 0), *(("fork", delay) for delay in FORK_DELAYS), *(("gate", delay) for delay in GATE_DELAYS))
"""Forms and their delays in microseconds; the honest one comes first, the others are held against it."""
STEP = 1 << 10
"""The case is told by the number of elements: that many more for each place in CASES."""
OPEN, WARM, CALLS = 3, 2, 20
SOURCE = f"""
import sys
import torch
CASES = {{size + {STEP} * place: case for size in {SIZES!r} for place, case in enumerate({CASES!r})}}
side = torch.cuda.Stream()

def wait_at_gate():
    # The caller's frame has the worker's device, the number of the call, and whether its gate is closed. In an open
    # call the flag is not raised to that number, ever; a wait for 0 is over, and sets up what the first one needs.
    from cuda.bindings import driver as cuda
    from kernelbot_gpu_nvidia._driver import checked
    frame = sys._getframe()
    while frame.f_code.co_name != "_enqueue":
        frame = frame.f_back
    call = frame.f_locals
    number, flag = call["number"] if call["gated"] else 0, call["self"]._gate._pointer + 4 * {GO}
    at_least = cuda.CUstreamWaitValue_flags.CU_STREAM_WAIT_VALUE_GEQ
    checked(cuda.cuStreamWaitValue32(side.cuda_stream, flag, number, at_least))

def solve(a, b, out, n):
    form, delay = CASES[n]
    if form == "honest":
        torch.add(a, b, out=out)
        return
    if form == "gate":
        wait_at_gate()
    else:
        side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        torch.cuda._sleep(delay * 1980)
        torch.add(a, b, out=out)
"""


def rows(session: JudgeSession, size: int) -> Iterator[dict[str, Any]]:
    """One for each case; times in seconds, delays in microseconds."""
    worker = session.submission(DTYPE)
    caller = session.caller(worker)
    for number, (form, delay) in enumerate(CASES):
        n = size + STEP * number
        worker.prepare(DTYPE, {"n": n})
        found: dict[str, list[float]] = {"T": [], "E": [], "quiet": [], "right": []}
        for call in range(OPEN + WARM + CALLS):
            draw = session.oracle.draw(DTYPE, {"n": n}, call)
            expected = torch.add(*draw.tensors())
            sample = (caller.open_call if call < OPEN else caller.gated_call)(draw, place(worker))
            if call < OPEN + WARM:
                continue
            quiet = caller.gated_call(draw, place(worker), timed=False)
            found["T"].append(sample.T)
            found["E"].append(sample.E)
            found["quiet"].append(quiet.T)
            found["right"] += [float(torch.equal(one.outputs[0], expected)) for one in (sample, quiet)]
        yield {"n": n, "form": form, "delay": delay, **found}


def measure(name: str) -> dict[str, Any]:
    """The record of one run."""
    found = registry()
    vendor, chosen = find_device(found, name)
    problem = resolve("vector_add", found.pack_sources)
    job = accept(found, problem, SOURCE, "late.py", settings=load_settings(), lang="torch", device=name)
    folder = JobFolder(job.id)
    runner = JobRunner(found, job, folder, lambda _: None)
    session = JudgeSession(make_order(found, job), runner)
    try:
        session.build()
        session.idle()
        table = []
        for size in SIZES:
            for row in rows(session, size):
                table.append(row)
                show(row, table[len(table) - 1 - CASES.index((row["form"], row["delay"]))])
        environment = session.device.environment()
    finally:
        session.close()
        runner.close()
        folder.close()
    return {
        "what": "late", "at": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"), "unit": "seconds",
        "machine": machine(), "device": chosen.name, "after": vendor.sample(chosen), "environment": environment,
        "rows": table,
    }  # fmt: skip


def show(row: dict[str, Any], honest: dict[str, Any]) -> None:
    """One line of the table.

    :param honest: The row of the honest kernel of that size.
    """
    late = row["form"] != "honest"
    clocks = [(statistics.median(row[clock]) * 1e6, statistics.median(honest[clock]) * 1e6) for clock in ("T", "quiet")]
    shown = "".join(f"{t:9.1f}" + (f"{usual + row['delay'] - t:9.1f}" if late else " " * 9) for t, usual in clocks)
    print(
        f"{row['n']:>10} {row['form']:>6} {row['delay'] if late else '':>7} {statistics.median(row['E']) * 1e6:9.2f}"
        f"{shown} {statistics.fmean(row['right']):6.2f}",
        flush=True,
    )


def main() -> None:
    """Measure, print the table, write the record."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--device", default="cuda:0")
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    print(f"{'n':>10} {'form':>6} {'delay':>7} {'E':>9}{'T':>9}{'shadow':>9}{'quiet':>9}{'shadow':>9} {'right':>6}")
    record = measure(args.device)
    if args.out:
        args.out.write_text(json.dumps(record, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
