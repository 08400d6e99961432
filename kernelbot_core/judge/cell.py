"""The case kind ``bench``: one cell, measured by one process or several, and held against the judge's clock."""

from __future__ import annotations

import dataclasses
import math
import statistics
from collections.abc import Sequence

import msgspec

from kernelbot_core.judge.attest import (
    OVERLAP,
    attest,
    gross,
    known_s_T,
    left_open,
    raised,
    refusal,
    supported,
)
from kernelbot_core.judge.bench import Block, Effort
from kernelbot_core.judge.clean import measure_again
from kernelbot_core.judge.draws import Draws
from kernelbot_core.judge.evidence import Evidence
from kernelbot_core.judge.instances import expect, expect_next, processes_for
from kernelbot_core.judge.need import kept
from kernelbot_core.judge.notes import notes
from kernelbot_core.judge.progress import tell
from kernelbot_core.judge.quiet import QUIET_BELOW, CleanQuiet, hidden
from kernelbot_core.judge.session import JudgeSession
from kernelbot_core.judge.stats import combine, location
from kernelbot_core.judge.throughput import moves_bytes, throughput
from kernelbot_core.judge.unattested import unattested
from kernelbot_core.judge.verify import Verifier
from kernelbot_core.model.plan import PlannedCase
from kernelbot_core.model.problem import Cell
from kernelbot_core.model.report import Attestation, CaseResult, Instance, Stats

OPEN_CALLS = 3
WARM_UP = 5
AGAIN = 3
"""Processes of a second look, where a single one may have drawn an unlucky place."""
ENOUGH = 0.75
"""Share of the job's time from which on no further processes are started: every cell must have its turn."""
FURTHER = Effort(open_calls=2, warm_up=3, pairs=20)
"""Of each process after the first one."""


def run_bench(session: JudgeSession, case: PlannedCase) -> CaseResult:
    """Measure one cell; what the judge's clock does not support is measured once more, in new processes."""
    assert case.cell is not None
    draws = Draws(session, case.id, case.cell)  # one for both: what the first processes have seen never comes back
    measured = Measured(session, case, case.cell, draws)
    found = measured.attestation(repeated=False)
    if session.order.refuse and found is not None and not found.ok:
        session.renew()
        measure_again(session, case.cell)
        measured = Measured(session, case, case.cell, draws, fewest=AGAIN)
        found = measured.attestation(repeated=True)
    return measured.result(found)


class Measured:
    """Everything that the processes of one cell gave."""

    def __init__(self, session: JudgeSession, case: PlannedCase, cell: Cell, draws: Draws, fewest: int = 1) -> None:
        self.session, self.case, self.cell, self.draws, self.fewest = session, case, cell, draws, fewest
        self.by_events = session.by_events
        self.evidence: Evidence | None = None
        self.replaced = False
        """The published times are the judge's, since it does not support the process's own."""
        self.hidden = 0.0
        """Seconds by which quiet calls say more than is claimed, or may."""
        self.tick = session.device.clock_tick()
        keep = kept(session.problem, cell.dtype, cell.dims, session.device)
        self.verifier = Verifier(session.oracle, cell.dtype, cell.dims, keep)
        expect(session, cell)
        self.worker = session.submission(cell.dtype)
        session.idle()
        first = Block(session, cell, self.draws, self.verifier, self.worker)
        first.run(Effort(OPEN_CALLS, WARM_UP, session.order.pairs))
        self.blocks = self.measured = [first]
        self._further(first)

    def _further(self, first: Block) -> None:
        """A short kernel is measured by several processes, one after the other."""
        median = location(self._ranked(first), self.tick)
        wanted = processes_for(median, self.session.order.instances) if self.by_events else 1
        self.wanted = max(wanted, self.fewest)
        if self.wanted > 1 and first.shared:
            self.worker.drop()  # a large cell's buffers fit once
        self.session.spares.want(self.wanted - 1)
        for done in range(1, self.wanted):
            if self.session.share_used() > ENOUGH:
                break
            tell(self.session, self.case, text=f"{median * 1e6:.2f} us provisional, {done} of {self.wanted} processes")
            with self.session.instance(self.cell) as worker:
                block = Block(self.session, self.cell, self.draws, self.verifier, worker)
                block.run(FURTHER)
            self.measured.append(block)

    def attestation(self, *, repeated: bool) -> Attestation | None:
        """None where the judge's own clock ranks."""
        clean, order = self.session.clean.get(self.cell), self.session.order
        if clean is None:
            return None
        pairs = [block.pair(location(block.S.E, self.tick)) for block in self.measured]
        levelled = all(pair.level is not None and (not clean.quiet or pair.level.quiet is not None) for pair in pairs)
        self.evidence = evidence = Evidence(
            pairs=pairs, clean=clean.D, reveals=clean.reveals,
            quiet=CleanQuiet(clean.quiet, clean.E_quiet) if clean.quiet else None,
            nulls=[*clean.nulls, *(t for block in self.measured for t in block.nulls)],
            s_T=known_s_T(order.s_T, levelled=levelled), source=order.s_T_source, host_sync=self.synchronises,
            alike=moves_bytes(self.cell),
        )  # fmt: skip
        good = [place for place, pair in enumerate(pairs) if supported(pair, evidence)]
        if 2 * len(good) > len(pairs):
            self.blocks = [self.measured[place] for place in good]
            evidence = dataclasses.replace(evidence, pairs=[pairs[place] for place in good])
        return attest(self.stats.median, evidence, repeated=repeated)

    def result(self, found: Attestation | None) -> CaseResult:
        """What the report says, with the figures that nobody attests.

        A time that is not supported is replaced by the judge's own; where they lie far apart it is refused.
        """
        refused = False
        if self.session.order.refuse and found is not None and not found.ok:
            refused = gross(found)
            self.replaced = not refused
            self.hidden = max(found.excess_quiet or 0.0, 0.0)
            open_ = left_open(found.tol, found.tol_quiet, self.stats.median)
            found = msgspec.structs.replace(found, replaced=self.replaced, attested_to=open_)
        cell, stats, first = self.cell, self.stats, self.blocks[0]
        loops = None
        if not refused and self.worker.buffers is not None:
            loops = unattested(self.session, cell, self.worker, stats.median)
        expect_next(self.session, cell)
        return CaseResult(
            id=self.case.id, kind="bench", status="failed" if refused else "passed",
            verdict="not_attested" if refused else None,
            reason=refusal(stats.median, found) if found is not None and refused else "",
            size=cell.size, dtype=cell.dtype, dims=cell.dims, fraction=self.verifier.fraction,
            max_diff=self.verifier.worst.max_diff, calls=self.verifier.calls, stats=stats,
            throughput=throughput(self.session, cell, stats.median, self.reference), first_call=first.first_call,
            samples=first.samples, attestation=found, instances=self._instances(), unattested=loops,
            notes=notes(self, found),
        )  # fmt: skip

    @property
    def stats(self) -> Stats:
        """Of the ranked clock, over all processes.

        The judge's own cannot tell apart what its spread from process to process may be.
        """
        found = combine([self._ranked(block) for block in self.blocks], self.tick)
        if not self.synchronises and not self.replaced:
            return found
        apart = 2 * known_s_T(self.session.order.s_T) / math.sqrt(len(self.blocks))
        return msgspec.structs.replace(found, resolution=max(found.resolution, apart / found.median))

    @property
    def reference(self) -> float:
        """The baseline's median, from the calls between the submission's."""
        medians = [statistics.median(b.R.E if self.by_events else b.R.T) for b in self.blocks]
        return statistics.geometric_mean(medians)

    @property
    def torn(self) -> bool:
        """Whether quiet calls say nothing about the submission, though they do about the baseline."""
        return any(self._torn(block) for block in self.blocks)

    def _torn(self, block: Block) -> bool:
        quiet = block.pair(0.0).quiet
        return quiet is not None and quiet.torn and location(block.S.E, self.tick) < QUIET_BELOW

    @property
    def calls(self) -> int:
        """Measured calls of the submission."""
        return sum(len(block.S.T) for block in self.blocks)

    @property
    def host_sync(self) -> int:
        """How many of them synchronise inside."""
        return sum(block.S.host_sync for block in self.blocks)

    @property
    def synchronises(self) -> bool:
        """Most calls do, so that the gate held none of their work and their events show what they like."""
        return self.by_events and self.host_sync > self.calls / 2

    def _ranked(self, block: Block) -> Sequence[float]:
        if not self.synchronises and not self.replaced:
            return block.S.E if self.by_events else block.S.T
        rise = raised(block.pair(0.0), self.evidence) if self.evidence is not None else 0.0
        times = [time + rise for time in block.by_judge(by_claim=not self.synchronises)]
        # To be refused on purpose, or to be taken for a call that synchronises, must not pay.
        lift = self._unseen(block, times) if self.synchronises else self._short(block, times)
        return [time + lift for time in times]

    def _short(self, block: Block, times: Sequence[float]) -> float:
        """By how much the judge's own times lie below what is claimed and hidden.

        Noise may make them the shorter ones, and they do not show what overlaps with the end of a timed call.
        """
        unseen = OVERLAP if self._torn(block) else 0.0
        return max(location(block.S.E, self.tick) + self.hidden - location(times, self.tick), unseen)

    def _unseen(self, block: Block, times: Sequence[float]) -> float:
        """By how much quiet calls say more than the judge's own times of calls that synchronise.

        Nobody can tell those that do from those that say so late, which have all of their work behind the gate.
        """
        pair, clean = block.pair(0.0), self.evidence.quiet if self.evidence is not None else None
        middle = location(times, self.tick)
        if pair.quiet is None or clean is None or middle >= QUIET_BELOW:
            return 0.0
        if pair.quiet.torn:
            return OVERLAP
        found = hidden(dataclasses.replace(pair.quiet, claims=[middle]), clean).value
        level = pair.level.quiet.value if pair.level and pair.level.quiet else 0.0
        return max(found - level, 0.0)

    def _instances(self) -> list[Instance]:
        if len(self.blocks) == 1:
            return []
        return [
            Instance(
                median=location(self._ranked(block), self.tick), n=len(block.S.T),
                samples=block.samples if place else None,
            )
            for place, block in enumerate(self.blocks)
        ]  # fmt: skip
