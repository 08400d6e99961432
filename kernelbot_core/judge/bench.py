"""The block of one process: submission and baseline alternate, every call of the submission is verified."""

from __future__ import annotations

import math
import statistics
import time
from typing import NamedTuple

from kernelbot_core.errors import CaseFailure, InfrastructureError
from kernelbot_core.judge.call import Sample
from kernelbot_core.judge.clean import CALLS
from kernelbot_core.judge.clock import Clock
from kernelbot_core.judge.control import control_for, lasts_as_long
from kernelbot_core.judge.draw import Draw
from kernelbot_core.judge.draws import Draws
from kernelbot_core.judge.evidence import Pair
from kernelbot_core.judge.quiet import PAIRS, Quiet
from kernelbot_core.judge.session import JudgeSession
from kernelbot_core.judge.verify import Verifier
from kernelbot_core.judge.worker import WorkerHandle, prepare_both
from kernelbot_core.model.problem import Cell
from kernelbot_core.model.report import Samples

NULL_EVERY = 8
CELL_SECONDS = {"T": 20.0, "E": 2.0}
"""By the clock that ranks: events of a long call differ by some 0.1 %, and thirty of them say as much as fifty."""
FEWEST = 6


class Effort(NamedTuple):
    """How many calls a process makes."""

    open_calls: int
    """The gate is open: JIT, autotuning, lazy loading."""
    warm_up: int
    """Gated, and nobody counts them."""
    pairs: int


class Block:
    """Measures one cell with one process of the submission's beside the baseline's."""

    def __init__(
        self,
        session: JudgeSession,
        cell: Cell,
        draws: Draws,
        verifier: Verifier,
        submission: WorkerHandle,
    ) -> None:
        self.session, self.cell, self.draws, self.verifier = session, cell, draws, verifier
        baseline = session.baseline(cell.dtype)
        self.shared = prepare_both(submission, baseline, cell.dtype, cell.dims)
        self.submission, self.baseline = session.caller(submission), session.caller(baseline)
        self._start_over()
        clean = session.clean.get(cell)
        self.quiet = clean is not None and bool(clean.quiet)
        """Beside each timed pair one whose calls their processes take no time of: decided before it had any say."""
        self._stand_ins = clean is not None and clean.stand_in
        """The baseline takes too long, and its process makes stand-ins in its place where calls are quiet."""
        self.level = submission.levels.get(cell.name)
        self.control = 0.0
        """Seconds of the control's calls; 0 where the baseline takes about as long as the submission."""
        self.first_call = 0.0
        """Seconds of the first call: JIT, autotuning, lazy loading."""

    def run(self, effort: Effort) -> None:
        """Open calls, warm-up, and as many pairs as fit into the time. Raises CaseFailure."""
        self._open(effort.open_calls)
        wall = self._warm_up(effort.warm_up)
        fitting = int(CELL_SECONDS["E" if self.session.by_events else "T"] / max(wall, 1e-6))
        pairs = max(min(FEWEST, effort.pairs), min(effort.pairs, fitting))
        quiet_pairs = max(pairs, min(PAIRS, fitting)) if self.quiet else 0
        self._measure(pairs, quiet_pairs)
        if self.session.by_events and not lasts_as_long(self.S.E, self.control, self.R.E):
            # Nothing makes a submission claim the same in its warm-up: what was measured says how long a control is.
            self.control = control_for(self.S.E, self.R.E)
            self._start_over()
            self._measure(pairs, quiet_pairs)
            if not lasts_as_long(self.S.E, self.control, self.R.E):
                raise CaseFailure("not_attested", "what its process claims changes from look to look")
        self.verifier.finish()
        if any(math.isnan(e) for e in self.S.E):
            raise CaseFailure("protocol", "the submission's process sent a time that is not a positive number")

    def _start_over(self) -> None:
        self.S, self.R, self.C, self.order = Clock(), Clock(), Clock(), ""
        self.quiet_S, self.quiet_R, self.quiet_pairs = Clock(), Clock(), 0
        self._stand_in_E: list[float] = []
        self.nulls: list[float] = []

    def pair(self, median: float) -> Pair:
        """What attests this block.

        :param median: Of E, as it counts in the published time.
        """
        quiet = None
        if self.quiet:
            reference = self._stand_in_E or self.R.E
            quiet = Quiet(self.quiet_S.T, self.quiet_R.T, self.S.E, reference, self.quiet_S.reveals, self.quiet_pairs)
        return Pair(self.S.D, self.beside.D, median, self.R.D, self.S.reveals, quiet, self.level)

    @property
    def beside(self) -> Clock:
        """Trusted calls that last about as long as the submission's: the control's, or else the baseline's."""
        return self.C if self.control else self.R

    def by_judge(self, *, by_claim: bool) -> list[float]:
        """The submission's times by the judge's clock alone.

        T less what the trusted call beside it shows around E, and less what its process showed more of that before it
        was loaded. No shorter than a nanosecond: noise of the host may exceed a short kernel.

        :param by_claim: A control as long as what is claimed is the trusted call. Not where the claim counts for
            nothing: around a long control lies more, and who claimed a second would be given its share.
        """
        level = self.level.timed.value if self.level else 0.0
        around = self.beside.D if by_claim or not self.control else list(map(min, self.C.D, self.R.D))
        return [max(t - d - level, 1e-9) for t, d in zip(self.S.T, around, strict=True)]

    @property
    def samples(self) -> Samples:
        """For the report."""
        return Samples(
            E=self.S.E, T=self.S.T, T_null=self.nulls, E_ref=self.R.E, T_ref=self.R.T, order=self.order,
            T_quiet=self.quiet_S.T, T_quiet_ref=self.quiet_R.T, reveal=self.S.reveals, reveal_ref=self.R.reveals,
            E_control=self.C.E, T_control=self.C.T,
        )  # fmt: skip

    def _open(self, calls: int) -> None:
        for number in range(calls):
            draw = self.draws.next()
            sample = self.submission.open_call(draw, self.submission.place())
            self.verifier.add(draw, sample)
            self.first_call = self.first_call if number else sample.T
            # Where events rank it was verified in clean calls; in shared buffers the submission could spoil it now.
            self._baseline_open(self._another(draw), verify=number == 0 and not self.session.by_events)

    def _warm_up(self, calls: int) -> float:
        """Seconds of one pair by the wall, with the quiet one that it may have beside it."""
        alone, walls, enough, ours, theirs = [], [], self.session.job.limits.call_s, Clock(), Clock()
        for _ in range(calls):
            began = time.monotonic()
            draw = self.draws.next()
            taken = self._submission_call(draw, ours)
            alone.append(time.monotonic() - began)
            if enough < taken:
                raise CaseFailure("slow", f"one call takes {taken:.2f} s; the limit is {enough:g} s")
            began = time.monotonic()
            theirs.add(self.baseline.gated_call(self._another(draw), self.baseline.place()))
            walls.append(alone[-1] + time.monotonic() - began)
        if self.session.by_events:
            self.control = control_for(ours.E, theirs.E)
        quiet = alone if self._stand_ins else walls  # a stand-in is short
        return statistics.median(walls) + (statistics.median(quiet) if self.quiet else 0.0)

    def _measure(self, pairs: int, quiet_pairs: int) -> None:
        """S R . R S, or S C R . R C S; one call of nothing in eight."""
        turns = ("SCR", "RCS") if self.control else ("SR", "RS")
        for number in range(pairs):
            turn, draw = turns[number % 2], self.draws.next()
            for place, side in enumerate(turn):
                if side == "C":
                    self.C.add(self.baseline.gated_call(None, self.baseline.place(), seconds=self.control))
                    continue
                draw = draw if place == 0 else self._another(draw)
                if side == "S":
                    self._submission_call(draw, self.S)
                else:
                    self.R.add(self.baseline.gated_call(draw, self.baseline.place()))
            self.order += turn
            if number % NULL_EVERY == 0:
                self.nulls.append(self.baseline.gated_call(None, self.baseline.place()).T)
                self.order += "0"
        if quiet_pairs:
            self._measure_quiet(quiet_pairs)

    def _measure_quiet(self, pairs: int) -> None:
        """S R S R ..., after a call that does not count.

        Each has a quiet call of the other process before it: one after a timed call, or after one of its own process,
        takes 1 to 3 us longer on an H200.
        """
        self.quiet_pairs = pairs
        if self._stand_ins:  # a card may be faster now than it was in the clean calls
            self._stand_in_E = [self.baseline.stand_in().E for _ in range(CALLS)]
        self._baseline_quiet(None)
        for _ in range(pairs):
            draw = self.draws.next()
            made = len(self.quiet_S.T), len(self.quiet_R.T)
            self._submission_call(draw, self.quiet_S, timed=False)
            self.quiet_R.add(self._baseline_quiet(None if self.shared else draw))
            self.order += "s" * (len(self.quiet_S.T) - made[0]) + "r" * (len(self.quiet_R.T) - made[1])

    def _baseline_quiet(self, draw: Draw | None) -> Sample:
        """A stand-in where the clean ones were, which needs no inputs; else on those given, or on some of its own."""
        if self._stand_ins:
            return self.baseline.stand_in(timed=False)
        return self.baseline.gated_call(draw or self.draws.next(), self.baseline.place(), timed=False)

    def _another(self, draw: Draw) -> Draw:
        """For the other side of a pair. In shared buffers it would find what was there: inputs of its own then."""
        return self.draws.next() if self.shared else draw

    def _submission_call(self, draw: Draw, clock: Clock, *, timed: bool = True) -> float:
        sample = self.submission.gated_call(draw, self.submission.place(), timed=timed)
        self.verifier.add(draw, sample)
        clock.add(sample)
        return sample.T

    def _baseline_open(self, draw: Draw, *, verify: bool) -> None:
        sample = self.baseline.open_call(draw, self.baseline.place())
        if verify and not self.session.oracle.check(self.cell.dtype, self.cell.dims, draw, sample.outputs).ok:
            raise InfrastructureError(f"the baseline of {self.session.problem.name} is wrong at {self.cell.name}")
