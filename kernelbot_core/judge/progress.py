"""What whoever watches is told about a case."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kernelbot_core.model.event import Event, Phase
from kernelbot_core.model.plan import PlannedCase
from kernelbot_core.model.report import CaseResult

if TYPE_CHECKING:
    from kernelbot_core.judge.session import JudgeSession

PHASES: dict[str, Phase] = {"build": "build", "check": "correctness", "property": "correctness", "bench": "benchmark"}


def tell(session: JudgeSession, case: PlannedCase, result: CaseResult | None = None, text: str = "") -> None:
    """Say that a case has begun, or how it ended.

    :param text: Of a case that runs: what is known so far, such as a provisional time.
    """
    if result is not None and result.status == "not_reached":
        return
    phase = PHASES[case.kind]
    same = [c.id for c in session.order.cases if PHASES[c.kind] == phase and not c.skip]
    if case.id not in same:
        return
    done = same.index(case.id) + (result is not None)
    ok = None if result is None else result.status in ("passed", "skipped")
    session.runner.event(
        Event(phase=phase, n=done, of=len(same), case=case.id, ok=ok, text=result.reason if result else text)
    )
