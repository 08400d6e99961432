"""The case kinds ``build`` and ``check``."""

from __future__ import annotations

import time
from collections.abc import Sequence

from kernelbot_core.case import Case
from kernelbot_core.judge.call import Sample
from kernelbot_core.judge.clean import measure_clean
from kernelbot_core.judge.instances import expect_next
from kernelbot_core.judge.session import JudgeSession
from kernelbot_core.judge.verify import Verifier
from kernelbot_core.model.plan import PlannedCase
from kernelbot_core.model.report import CaseResult
from kernelbot_core.text import one_line

NOTES, NOTE = 4, 160
"""How many notes of a build are shown, and characters of each."""


def run_build(session: JudgeSession, case: PlannedCase) -> CaseResult:
    """Wait for the artifact; the baseline is measured meanwhile, before there is anything of the submission's."""
    if session.build_ended():
        session.build()  # one that failed is told at once
    began = time.monotonic()
    measure_clean(session)
    session.phases["clean"] = time.monotonic() - began
    artifact = session.build()
    expect_next(session)
    return CaseResult(id=case.id, kind="build", status="passed", notes=said_by_build(artifact.build.notes))


def said_by_build(notes: Sequence[str]) -> list[str]:
    """Notes of a build, which may be the submission's own words: few, short, and not in the judge's voice."""
    return [f"the build says: {one_line(note, NOTE)}" for note in list(dict.fromkeys(notes))[:NOTES]]


def run_check(session: JudgeSession, case: PlannedCase) -> CaseResult:
    """A few calls on fresh inputs: the first with the gate open, the others gated."""
    cell = case.cell
    assert cell is not None
    worker = session.submission(cell.dtype)
    worker.prepare(cell.dtype, cell.dims)
    caller = session.caller(worker)
    verifier = Verifier(session.oracle, cell.dtype, cell.dims, keep=0)
    first: Sample | None = None
    for number in range(session.order.check_calls):
        draw = session.oracle.draw(cell.dtype, cell.dims, session.seeds.seed(case.id, number))
        make = caller.open_call if first is None else caller.gated_call
        sample = make(draw, caller.place())
        first = first or sample
        verifier.add(draw, sample)
    verifier.finish()
    return CaseResult(
        id=case.id, kind="check", status="passed", size=cell.size, dtype=cell.dtype, dims=cell.dims,
        fraction=verifier.fraction, max_diff=verifier.worst.max_diff, calls=verifier.calls,
        first_call=first.T if first else None,
    )  # fmt: skip


def check_example(session: JudgeSession, label: str, example: Case, seed: int) -> None:
    """One open call on one drawn example. Raises CaseFailure."""
    worker = session.submission(label)
    worker.prepare(label, example.dims)
    verifier = Verifier(session.oracle, label, example.dims, keep=0)
    draw = session.oracle.draw(label, example.dims, seed, example)
    verifier.add(draw, session.caller(worker).open_call(draw, 0))
    verifier.finish()
