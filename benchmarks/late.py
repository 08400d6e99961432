"""How much may a kernel still do after its end without the judge's clock or its copy showing it?

``python benchmarks/late.py --out benchmarks/results/late.json`` needs one NVIDIA GPU and about half a minute. The
submission makes honest calls and others in turns, on the same buffers. One line for each size and case of the others:

- ``form``: ``fork``, the work is left to a second stream, which waits for the first one, which waits at the gate;
  ``gate``, the second stream waits for the judge's flag itself, which the submission finds in its own process, so that
  neither the fork nor the event at the start holds it up; ``bare``, honest work without the events around it, and with
  its own flag raised at the gate; ``line``, honest work behind a wait on the same stream: what is hidden there (the
  second of two kernels starts sooner) is hidden of the other delays too; ``join``, honest work on the second stream,
  for which the first one waits.
- ``delay``: how long the second stream waits before it begins, us.
- ``E``: what the events of the call say, us; nothing for ``bare``.
- ``T``: the judge's clock, medians in us; ``hidden``: what that is short of what the baseline, in a process that has
  one stream only, and an honest call's E, and the delay make it.
- ``quiet``: the same for quiet calls (``kernelbot_core/judge/quiet.py``).
- ``honest``: what is hidden of the honest calls of the same process, timed and quiet.
- ``right``: share of calls whose copy, the one that T ends with, holds the right values; of the others, and of the
  honest ones.
"""

from __future__ import annotations

import argparse
import datetime
import json
import statistics
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import torch
from clock import place
from gate import DTYPE, machine

from kernelbot_core.cli import errors_in_words
from kernelbot_core.engine.accept import accept
from kernelbot_core.engine.devices import find_device
from kernelbot_core.judge.session import JudgeSession
from kernelbot_core.judge.worker import prepare_both
from kernelbot_core.packs.find import resolve
from kernelbot_core.plugins import registry
from kernelbot_core.runner.folder import JobFolder
from kernelbot_core.runner.local import JobRunner
from kernelbot_core.runner.prepare import make_order
from kernelbot_core.settings import load_settings
from kernelbot_gpu_nvidia._gate import GO

SIZES = (512 << 10, 6 << 20, 17 << 20, 64 << 20, 68 << 20)
FORK_DELAYS = (0, 10, 20, 40, 100, 300, 1000)
GATE_DELAYS = (0, 10, 100)
CASES = (*(("fork", delay) for delay in FORK_DELAYS), *(("gate", delay) for delay in GATE_DELAYS), ("bare", 0),
         ("line", 10), ("line", 100), ("join", 0))  # fmt: skip
"""Forms and their delays in microseconds."""
STEP = 1 << 10
"""The case is told by the number of elements: that many more for each place in CASES."""
OPEN, WARM, CALLS = 4, 2, 20
"""Open calls; then so many times what TURN says."""
TURN = ("baseline", "baseline_quiet", "honest", "honest_quiet", "other", "other_quiet")
SOURCE = f"""
import sys
import torch
CASES = {{size + {STEP} * place: case for size in {SIZES!r} for place, case in enumerate({CASES!r})}}
side = torch.cuda.Stream()
calls, latest = dict.fromkeys(CASES, 0), 0

def others_turn(n):
    return calls[n] // 2 % 2 == 1

module = sys.modules.get("kernelbot_gpu_nvidia._worker")  # not there while it is being built
enqueue = module and module.NvidiaWorker._enqueue

def without_events(self, call, number, *, gated, timed=True):
    bare = latest and CASES[latest][0] == "bare" and others_turn(latest)
    enqueue(self, call, number, gated=gated, timed=timed and not (bare and gated))

if module:
    module.NvidiaWorker._enqueue = without_events

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

def aside(form, delay, a, b, out):
    if form == "line":
        torch.cuda._sleep(delay * 1980)
        torch.add(a, b, out=out)
        return
    if form == "gate":
        wait_at_gate()
    else:
        side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        torch.cuda._sleep(delay * 1980)
        torch.add(a, b, out=out)
    if form == "join":
        torch.cuda.current_stream().wait_stream(side)

def solve(a, b, out, n):
    global latest
    form, delay = CASES[n]
    if others_turn(n) and form != "bare":
        aside(form, delay, a, b, out)
    else:
        torch.add(a, b, out=out)
    latest, calls[n] = n, calls[n] + 1
"""


def rows(session: JudgeSession, size: int) -> Iterator[dict[str, Any]]:
    """One for each case, all in one process; times in seconds, delays in microseconds."""
    cell = msgspec.structs.replace(session.timed_cells()[0], size=f"n{size}", dtype=DTYPE, dims={"n": size})
    session.clean.take(session, cell)
    baseline = session.baseline(DTYPE)
    usual = session.caller(baseline)
    with session.instance(cell) as worker:
        level = worker.levels[cell.name]
        caller = session.caller(worker)
        for number, (form, delay) in enumerate(CASES):
            dims = {"n": size + STEP * number}
            prepare_both(worker, baseline, DTYPE, dims)
            found: dict[str, list[float]] = {}
            draws = [session.oracle.draw(DTYPE, dims, seed) for seed in range(OPEN + WARM + CALLS)]
            for draw in draws[:OPEN]:
                usual.open_call(draw, place(baseline))
                caller.open_call(draw, place(worker))
            for call, draw in enumerate(draws[OPEN:]):
                for turn in TURN:
                    name, timed = turn.removesuffix("_quiet"), not turn.endswith("_quiet")
                    by, worked_by = (usual, baseline) if name == "baseline" else (caller, worker)
                    sample = by.gated_call(draw, place(worked_by), timed=timed)
                    right = float(sample.whole and torch.equal(sample.outputs[0], torch.add(*draw.tensors())))
                    if call >= WARM:
                        found.setdefault(turn, []).append(sample.T)
                        found.setdefault(f"{name}_right", []).append(right)
                        if timed:
                            found.setdefault(f"{name}_E", []).append(sample.E)
            levels = {
                "timed": level.timed.value if level else 0.0,
                "quiet": level.quiet.value if level and level.quiet else 0.0,
            }
            yield {"n": dims["n"], "form": form, "delay": delay, "levels": levels, **found}


def measure(name: str, out: Path | None) -> None:
    """Print the rows and keep them, each as soon as it is there: a run that is broken off leaves its part."""
    found = registry()
    vendor, chosen = find_device(found, name)
    problem = resolve("vector_add", found.pack_sources)
    job = accept(found, problem, SOURCE, "late.py", settings=load_settings(), lang="torch", device=name)
    folder = JobFolder(job.id)
    runner = JobRunner(found, job, folder, lambda _: None)
    session = JudgeSession(make_order(found, job), runner)
    record: dict[str, Any] = {
        "what": "late", "at": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"), "unit": "seconds",
        "machine": machine(), "device": chosen.name, "rows": [],
    }  # fmt: skip
    try:
        session.build()
        session.idle()
        for size in SIZES:
            for row in rows(session, size):
                record["rows"].append(row)
                show(row)
                save(record, out)
        save(record | {"after": vendor.sample(chosen), "environment": session.device.environment()}, out)
    finally:
        session.close()
        runner.close()
        folder.close()


def save(record: dict[str, Any], out: Path | None) -> None:
    """As JSON."""
    if out:
        out.write_text(json.dumps(record, separators=(",", ":")) + "\n")


def hidden(row: dict[str, Any], name: str) -> tuple[float, float]:
    """What the judge's clock does not show of a call, timed and quiet, seconds.

    By the baseline's process, which knows one stream only, and less by how much the other process differs from it.
    """
    work = statistics.median(row["honest_E"]) + (row["delay"] * 1e-6 if name == "other" else 0.0)
    around = [statistics.median(row[f"baseline{end}"]) - statistics.median(row["baseline_E"]) for end in ("", "_quiet")]
    timed, quiet = (
        usual + level + work - statistics.median(row[f"{name}{end}"])
        for usual, level, end in zip(around, row["levels"].values(), ("", "_quiet"), strict=True)
    )
    return timed, quiet


def show(row: dict[str, Any]) -> None:
    """One line of the table."""
    others, honest = hidden(row, "other"), hidden(row, "honest")
    own = "" if row["form"] == "bare" else f"{statistics.median(row['other_E']) * 1e6:.2f}"
    print(
        f"{row['n']:>10} {row['form']:>6} {row['delay']:>7} {statistics.median(row['honest_E']) * 1e6:9.2f} {own:>8}"
        f"{statistics.median(row['other']) * 1e6:9.1f}{others[0] * 1e6:8.1f}"
        f"{statistics.median(row['other_quiet']) * 1e6:9.1f}{others[1] * 1e6:8.1f}"
        f"{honest[0] * 1e6:8.1f}{honest[1] * 1e6:6.1f}"
        f"{statistics.fmean(row['other_right']):6.2f}{statistics.fmean(row['honest_right']):6.2f}",
        flush=True,
    )


def main() -> None:
    """Measure, print the table, write the record."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--device", default="cuda:0")
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    print(
        f"{'n':>10} {'form':>6} {'delay':>7} {'honest E':>9} {'E':>8}"
        f"{'T':>9}{'hidden':>8}{'quiet':>9}{'hidden':>8}{'honest':>14}{'right':>12}"
    )
    measure(args.device, args.out)


if __name__ == "__main__":
    with errors_in_words():
        main()
