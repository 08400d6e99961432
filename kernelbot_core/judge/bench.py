"""The case kind ``bench``: submission and baseline alternate, every call of the submission is verified."""

from __future__ import annotations

import random
import statistics
import time
from dataclasses import dataclass, field

from kernelbot_core.errors import CaseFailure, InfrastructureError
from kernelbot_core.judge.call import Caller, Sample
from kernelbot_core.judge.draw import Draw
from kernelbot_core.judge.need import kept
from kernelbot_core.judge.session import JudgeSession
from kernelbot_core.judge.stats import summarize
from kernelbot_core.judge.verify import Verifier
from kernelbot_core.judge.worker import prepare_both
from kernelbot_core.model.plan import PlannedCase
from kernelbot_core.model.problem import Cell
from kernelbot_core.model.report import CaseResult, Samples, Stats, Throughput

OPEN_CALLS = 3
WARM_UP = 5
NULL_EVERY = 8
CELL_SECONDS = 20.0
FEWEST = 6


@dataclass
class Clock:
    """Samples of one side."""

    T: list[float] = field(default_factory=list)
    E: list[float] = field(default_factory=list)
    host_sync: int = 0

    def add(self, sample: Sample) -> None:
        """Take one measured call in."""
        self.T.append(sample.T)
        self.E.append(sample.E)
        self.host_sync += sample.host_sync


class Bench:
    """The block of one cell."""

    def __init__(self, session: JudgeSession, case: PlannedCase, cell: Cell) -> None:
        self.session, self.case, self.cell = session, case, cell
        submission, baseline = session.submission(cell.dtype), session.baseline(cell.dtype)
        self.shared = prepare_both(submission, baseline, cell.dtype, cell.dims)
        self.submission, self.baseline = session.caller(submission), session.caller(baseline)
        keep = kept(session.problem, cell.dtype, cell.dims, session.device)
        self.verifier = Verifier(session.oracle, cell.dtype, cell.dims, keep)
        self.S, self.R, self.nulls, self.order = Clock(), Clock(), [], ""
        self.first_call = 0.0
        self._drawn = 0

    S: Clock
    R: Clock
    nulls: list[float]

    def warm_up(self) -> float:
        """Open calls, then gated ones nobody counts; returns seconds of one pair by the wall."""
        for number in range(OPEN_CALLS):
            draw = self._draw()
            sample = self.submission.open_call(draw, self._place(self.submission))
            self.verifier.add(draw, sample)
            self.first_call = self.first_call if number else sample.T
            self._baseline_open(self._baseline_draw(), verify=number == 0)
        walls, enough = [], self.session.job.limits.call_s
        for _ in range(WARM_UP):
            began = time.monotonic()
            taken = self._submission_call(self._draw(), None)
            walls.append(time.monotonic() - began)
            if enough < taken:
                raise CaseFailure("slow", f"one call takes {taken:.2f} s; the limit is {enough:g} s")
            began = time.monotonic()
            self.baseline.gated_call(self._baseline_draw(), self._place(self.baseline))
            walls[-1] += time.monotonic() - began
        return statistics.median(walls)

    def measure(self, pairs: int) -> None:
        """S R . R S, one call of nothing in eight."""
        for number in range(pairs):
            draw = self._draw()
            turn = "SR" if number % 2 == 0 else "RS"
            for side in turn:
                if side == "S":
                    self._submission_call(draw, self.S)
                else:
                    self.R.add(self.baseline.gated_call(self._baseline_draw(), self._place(self.baseline)))
            self.order += turn
            if number % NULL_EVERY == 0:
                self.nulls.append(self.baseline.gated_call(None, self._place(self.baseline)).T)
                self.order += "0"
        self.verifier.finish()

    _last: Draw

    def _draw(self) -> Draw:
        seed = self.session.seeds.seed(self.case.id, self._drawn)
        self._drawn += 1
        self._last = self.session.oracle.draw(self.cell.dtype, self.cell.dims, seed)
        return self._last

    def _baseline_draw(self) -> Draw:
        """The submission's inputs, unless it could have seen them in the buffers that both map."""
        return self._draw() if self.shared else self._last

    def _submission_call(self, draw: Draw, clock: Clock | None) -> float:
        sample = self.submission.gated_call(draw, self._place(self.submission))
        self.verifier.add(draw, sample)
        if clock is not None:
            clock.add(sample)
        return sample.T

    def _baseline_open(self, draw: Draw, *, verify: bool) -> None:
        sample = self.baseline.open_call(draw, self._place(self.baseline))
        if verify and not self.session.oracle.check(self.cell.dtype, self.cell.dims, draw, sample.outputs).ok:
            raise InfrastructureError(f"the baseline of {self.session.problem.name} is wrong at {self.cell.name}")

    def _place(self, caller: Caller) -> int:
        assert caller.worker.buffers is not None
        return random.randrange(len(caller.worker.buffers.sets))


def run_bench(session: JudgeSession, case: PlannedCase) -> CaseResult:
    """Measure one cell."""
    cell = case.cell
    assert cell is not None
    bench = Bench(session, case, cell)
    wall = bench.warm_up()
    pairs = max(FEWEST, min(session.order.pairs, int(CELL_SECONDS / max(wall, 1e-6))))
    bench.measure(pairs)
    return result(session, case, cell, bench)


def result(session: JudgeSession, case: PlannedCase, cell: Cell, bench: Bench) -> CaseResult:
    """Statistics of a finished block."""
    ranked = session.device.ranks_on
    ours, theirs = (bench.S.T, bench.R.T) if ranked == "T" else (bench.S.E, bench.R.E)
    if any(e != e for e in bench.S.E):
        raise CaseFailure("protocol", "the submission's process sent a time that is not a positive number")
    stats = summarize(ours, session.device.clock_tick())
    reference = statistics.median(theirs)
    notes = []
    if stats.n < session.order.pairs:
        notes.append(f"{stats.n} pairs instead of {session.order.pairs}: one pair takes too long")
    if bench.S.host_sync:
        notes.append(f"synchronises inside the call ({bench.S.host_sync} of {stats.n} calls)")
    return CaseResult(
        id=case.id, kind="bench", status="passed", size=cell.size, dtype=cell.dtype, dims=cell.dims,
        fraction=bench.verifier.fraction, max_diff=bench.verifier.worst.max_diff, calls=bench.verifier.calls,
        stats=stats, throughput=throughput(session, cell, stats, reference), first_call=bench.first_call, notes=notes,
        samples=Samples(E=bench.S.E, T=bench.S.T, T_null=bench.nulls, E_ref=bench.R.E, T_ref=bench.R.T,
                        order=bench.order),
    )  # fmt: skip


def throughput(session: JudgeSession, cell: Cell, stats: Stats, reference: float) -> Throughput:
    """Work over median time, and how near that comes to what the device can do."""
    per_s, flops = cell.bytes / stats.median, cell.flops / stats.median
    peak = session.copy_peak()
    dtype = next(iter(cell.binding.values()), "")
    arithmetic = session.order.peaks.flops_per_s.get(dtype)
    fractions = [per_s / peak] + ([flops / arithmetic] if arithmetic else [])
    return Throughput(
        bytes_per_s=per_s, flops_per_s=flops, peak_fraction=max(fractions), speedup=reference / stats.median
    )
