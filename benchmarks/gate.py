"""What the gate costs and how well the judge's clock attests the worker's: vector addition, two workers, fp32.

``python benchmarks/gate.py`` needs one NVIDIA GPU and about half a minute. Prints a table of medians in microseconds
and writes every sample to ``benchmarks/results/``. Columns:

- ``E``: between the worker's events, submission and baseline (both are ``torch.add(a, b, out=out)``).
- ``T``: on the judge's clock, from opening the gate to holding its own copy.
- ``null``: T of a call of nothing with buffers of the same size (c0).
- ``T - null``: to be held against E.
- ``attest``: median of ``T_S - T_R + E_R - E_S`` over the pairs; 0 for honest code, its spread is the tolerance.
- ``reveal``: writing the inputs and flushing, by the judge's own events.
"""

from __future__ import annotations

import argparse
import datetime
import importlib.metadata
import json
import os
import platform
import statistics
import time
from pathlib import Path

import msgspec

import problem_packs
from kernelbot_core.cli import errors_in_words
from kernelbot_core.engine.accept import accept
from kernelbot_core.engine.devices import find_device, require_free
from kernelbot_core.judge.session import JudgeSession
from kernelbot_core.packs.load import load_problem
from kernelbot_core.plugins import registry
from kernelbot_core.runner.folder import JobFolder
from kernelbot_core.runner.local import JobRunner
from kernelbot_core.runner.prepare import make_order
from kernelbot_core.settings import load_settings

SOURCE = "import torch\n\n\ndef solve(a, b, out, n):\n    torch.add(a, b, out=out)\n"
SIZES = [1 << 10, 1 << 20, 1 << 22, 1 << 24, 1 << 26]
DTYPE, OPEN, WARM = "fp32", 3, 8
RESULTS = Path(__file__).parent / "results"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", default="cuda:0")
    parser.add_argument("--sessions", type=int, default=3)
    parser.add_argument("--pairs", type=int, default=40)
    parser.add_argument("--out", type=Path, default=RESULTS)
    options = parser.parse_args()
    found = registry()
    vendor, device = find_device(found, options.device)
    require_free(vendor, device)
    record = {
        "what": "gate", "at": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "machine": machine(), "device": msgspec.to_builtins(device), "before": vendor.sample(device),
        "unit": "microseconds",
    }  # fmt: skip
    record["sessions"] = [session(found, options) for _ in range(options.sessions)]
    record["after"] = vendor.sample(device)
    show(record)
    options.out.mkdir(parents=True, exist_ok=True)
    path = options.out / f"gate-{device.label}-{record['at'][:10]}.json"
    path.write_text(json.dumps(record, indent=None, separators=(",", ":")) + "\n")
    print(path)


def machine() -> dict:
    """Host of the measurement."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    names = {line.partition(":")[2].strip() for line in lines if line.startswith("model name")}
    return {
        "cpu": ", ".join(sorted(names)), "cores": os.cpu_count(), "kernel": platform.release(),
        "python": platform.python_version(), "kernelbot": importlib.metadata.version("kernelbot"),
    }  # fmt: skip


def session(found, options) -> dict:
    """Two fresh workers, all sizes."""
    problem = load_problem(Path(next(iter(problem_packs.__path__))) / "vector_add")
    job = accept(found, problem, SOURCE, "add.py", settings=load_settings(), lang="torch", device=options.device)
    folder = JobFolder(job.id)
    runner = JobRunner(found, job, folder, lambda _: None)
    began = time.monotonic()
    judge = JudgeSession(make_order(found, job), runner)
    try:
        judge.build()
        workers = judge.submission(DTYPE), judge.baseline(DTYPE)
        started = time.monotonic() - began
        cells = [cell(judge, workers, n, options.pairs) for n in SIZES]
        peak = judge.copy_peak()
        return {"start_s": round(started, 2), "copy_peak": peak, "environment": judge.environment(), "cells": cells}
    finally:
        judge.close()
        runner.close()
        folder.close()


def cell(judge, workers, n: int, pairs: int) -> dict:
    """All samples of one size."""
    callers = []
    for worker in workers:
        worker.prepare(DTYPE, {"n": n})
        callers.append(judge.caller(worker))
    turn = Turn(judge, callers, n)
    for number in range(OPEN + WARM):
        for side in "SR":
            turn.take(side, record=False, gated=number >= OPEN)
    for number in range(pairs):
        for side in "SR0" if number % 2 == 0 else "0RS":
            turn.take(side)
    return {"n": n, **{key: [round(v * 1e6, 3) for v in values] for key, values in turn.samples.items()}}


class Turn:
    """Makes the calls of one size and checks every output."""

    def __init__(self, judge, callers, n: int) -> None:
        self.judge, self.n = judge, n
        self.callers = {"S": callers[0], "R": callers[1], "0": callers[1]}
        self.samples = {key: [] for key in ("E_S", "T_S", "E_R", "T_R", "T_0", "reveal")}
        self.drawn = 0

    def take(self, side: str, *, record: bool = True, gated: bool = True) -> None:
        import torch

        self.drawn += 1
        caller = self.callers[side]
        place = self.drawn % len(caller.worker.buffers.sets)
        draw = self.judge.oracle.draw(DTYPE, {"n": self.n}, self.drawn)
        call = caller.gated_call if gated else caller.open_call
        sample = call(None if side == "0" else draw, place)
        if side != "0" and not torch.equal(sample.outputs[0], torch.add(*draw.tensors())):
            raise SystemExit(f"wrong output at n = {self.n}")
        if not record:
            return
        self.samples[f"T_{side}"].append(sample.T)
        if side != "0":
            self.samples[f"E_{side}"].append(sample.E)
            self.samples["reveal"].append(self.judge.device.revealed)


def show(record: dict) -> None:
    """Medians, one line per size and session."""
    print(f"{record['device']['name']}, {record['at']}, times in us")
    head = ("n", "E_S", "E_R", "T_S", "T_R", "null", "T-null", "attest", "reveal")
    print("".join(f"{word:>10}" for word in head))
    for place, _ in enumerate(SIZES):
        for one in record["sessions"]:
            got = one["cells"][place]
            attest = [ts - tr + er - es for ts, tr, er, es in
                      zip(got["T_S"], got["T_R"], got["E_R"], got["E_S"], strict=True)]  # fmt: skip
            es, er, ts, tr, null, reveal = (
                statistics.median(got[k]) for k in ("E_S", "E_R", "T_S", "T_R", "T_0", "reveal")
            )
            row = (es, er, ts, tr, null, ts - null, statistics.median(attest), reveal)
            print(f"{got['n']:>10}" + "".join(f"{value:>10.2f}" for value in row))
    for one in record["sessions"]:
        print(f"start {one['start_s']} s, copy peak {one['copy_peak'] / 1e12:.2f} TB/s")


if __name__ == "__main__":
    with errors_in_words():
        main()
