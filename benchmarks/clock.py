"""Which clock of the judge's is the steadier one: its events on the device, or its host.

``python benchmarks/clock.py --out benchmarks/results/clock.json`` needs one NVIDIA GPU and about a minute. The same
calls, of trusted workers only, are timed in turn by

- ``device``: reveal, flush, gate, the wait for the worker and the copies enqueued together, T by the judge's events;
- ``host``: the host waits until reveal and flush are through, opens the gate, looks at the flag until the worker has
  set it, and copies; T by the host's clock.

Prints the table of ``clock_table.py``. The judge has the logical processors that it has in a job.
"""

from __future__ import annotations

import argparse
import contextlib
import datetime
import json
import os
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from clock_table import show
from gate import DTYPE, SOURCE, machine

from kernelbot_core import Link, Output
from kernelbot_core.cli import errors_in_words
from kernelbot_core.engine.accept import accept
from kernelbot_core.engine.devices import find_device, require_free
from kernelbot_core.interfaces.runner import Spawned
from kernelbot_core.judge.call import Caller, Sample
from kernelbot_core.judge.draw import Draw
from kernelbot_core.judge.oracle import Oracle
from kernelbot_core.judge.worker import WorkerHandle
from kernelbot_core.model.order import JudgeOrder
from kernelbot_core.packs.code import load_code
from kernelbot_core.packs.find import resolve
from kernelbot_core.plugins import registry
from kernelbot_core.runner.cores import apart
from kernelbot_core.runner.folder import JobFolder
from kernelbot_core.runner.local import JobRunner
from kernelbot_core.runner.prepare import make_order
from kernelbot_core.settings import load_settings
from kernelbot_gpu_nvidia._gate import DONE, GO
from kernelbot_gpu_nvidia._judge import NvidiaJudge

OPEN, WARM, SEED = 3, 4, 7
CLOCKS = ("host", "device")
COLUMNS = ("call", "clock", "round", "worker", "E", "T")


@dataclass(frozen=True)
class Work:
    """What a call does: an addition of ``n`` numbers, or, with buffers of that size, nothing for ``idle`` seconds."""

    name: str
    n: int
    idle: float | None = None


WORKS = (
    Work("nothing", 1 << 10, 0.0), Work("50 us of waiting", 1 << 10, 50e-6),
    Work("addition, 1 Ki", 1 << 10), Work("addition, 1 Mi", 1 << 20), Work("addition, 16 Mi", 1 << 24),
)  # fmt: skip


class EitherClock(NvidiaJudge):
    """The judge's half, which can time a call by its host too."""

    by_host = False

    def through_gate(
        self, link: Link, call_id: bytes, limit: float, outputs: Sequence[Output]
    ) -> tuple[float, list[Any]]:
        if not self.by_host:
            return super().through_gate(link, call_id, limit, outputs)
        self.synchronize()
        flags, number = self._pages[link.control].flags, link.calls
        began = time.perf_counter_ns()
        ends = began + round(limit * 1e9)
        flags[GO] = number
        while flags[DONE] != number:  # and at nothing else: a look at the socket would be a part of T
            if time.perf_counter_ns() > ends:
                link.fail("timeout", f"no answer within {limit:g} s")
        copies = self.snapshot(outputs)
        return (time.perf_counter_ns() - began) * 1e-9, copies


class Bench:
    """Workers that all run the pack's baseline, and the judge's half of their calls."""

    def __init__(self, order: JudgeOrder, runner: JobRunner, spawned: Sequence[Spawned]) -> None:
        problem, limits = order.job.problem, order.job.limits
        self.device = EitherClock(order.index)
        self.workers = [WorkerHandle(runner, self.device, problem, "baseline", one) for one in spawned]
        self.callers = [Caller(self.device, one, limits.call_s, limits.build_s, trusted=True) for one in self.workers]
        self.oracle = Oracle(problem, load_code(Path(problem.path)), self.device.torch_device)
        for worker in self.workers:
            worker.load(DTYPE, limits.build_s)

    def samples(self, work: Work, rounds: int) -> Iterator[tuple[Any, ...]]:
        """Rows of the record. Clocks take turns, and within them workers, in an order that is drawn each time."""
        draw = self.oracle.draw(DTYPE, {"n": work.n}, SEED)
        expected = torch.add(*draw.tensors())
        for worker, caller in zip(self.workers, self.callers, strict=True):
            worker.prepare(DTYPE, {"n": work.n})
            for _ in range(OPEN):
                caller.open_call(draw, place(worker))
        for number in range(-WARM, rounds):
            for clock in random.sample(CLOCKS, len(CLOCKS)):
                self.device.by_host = clock == "host"
                for one in random.sample(range(len(self.workers)), len(self.workers)):
                    sample = self._call(one, work, draw, expected)
                    if number >= 0:
                        yield work.name, clock, number, one, round(sample.E * 1e6, 3), round(sample.T * 1e6, 3)

    def _call(self, one: int, work: Work, draw: Draw, expected: torch.Tensor) -> Sample:
        caller, where = self.callers[one], place(self.workers[one])
        if work.idle is not None:
            return caller.gated_call(None, where, seconds=work.idle)
        sample = caller.gated_call(draw, where)
        if not torch.equal(sample.outputs[0], expected):
            raise SystemExit(f"wrong output at n = {work.n}")
        return sample

    def close(self) -> None:
        """End the workers and give the device back."""
        for worker in self.workers:
            worker.close()
        self.device.close()


def place(worker: WorkerHandle) -> int:
    """One of a worker's buffer sets."""
    assert worker.buffers is not None
    return random.randrange(len(worker.buffers.sets))


def measure(device: str, workers: int, rounds: int) -> dict[str, Any]:
    """The record of one run."""
    found = registry()
    vendor, chosen = find_device(found, device)
    require_free(vendor, chosen)
    problem = resolve("vector_add", found.pack_sources)
    job = accept(found, problem, SOURCE, "add.py", settings=load_settings(), lang="torch", device=device)
    record = {
        "what": "clock", "at": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "machine": machine(), "device": chosen.name, "before": vendor.sample(chosen), "unit": "microseconds",
        "workers": workers, "rounds": rounds, "clocks": CLOCKS, "columns": COLUMNS,
    }  # fmt: skip
    with contextlib.ExitStack() as ends, apart(vendor.own_core, *vendor.place(chosen)) as own:
        folder = ends.enter_context(contextlib.closing(JobFolder(job.id)))  # starts a process: not earlier
        runner = ends.enter_context(contextlib.closing(JobRunner(found, job, folder, lambda _: None)))
        spawned = [runner.spawn("baseline") for _ in range(workers)]
        if own:
            os.sched_setaffinity(0, own)
        bench = ends.enter_context(contextlib.closing(Bench(make_order(found, job), runner, spawned)))
        record["samples"] = [row for work in WORKS for row in bench.samples(work, rounds)]
        record["environment"] = bench.device.environment()
    return record | {"after": vendor.sample(chosen)}


def main() -> None:
    """Measure, print the table, write the record."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--device", default="cuda:0")
    parser.add_argument("--workers", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=120)
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    record = measure(args.device, args.workers, args.rounds)
    if args.out:
        args.out.write_text(json.dumps(record, separators=(",", ":")) + "\n")
    show(record)


if __name__ == "__main__":
    with errors_in_words():
        main()
