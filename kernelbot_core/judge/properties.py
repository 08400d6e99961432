"""The case kind ``property``: hypothesis proposes inputs, the judge decides and keeps the smallest failure itself."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

from kernelbot_core.case import Case
from kernelbot_core.errors import CaseFailure
from kernelbot_core.judge.check import check_example
from kernelbot_core.judge.failure import WrongOutput
from kernelbot_core.judge.record import USED_UP
from kernelbot_core.judge.session import JudgeSession
from kernelbot_core.model.dtypes import DTYPES
from kernelbot_core.model.plan import PlannedCase
from kernelbot_core.model.report import CaseError, CaseResult

CALLS_AFTER_FAILURE = 60
SECONDS_AFTER_FAILURE = 20.0
RESTARTS = 2


@dataclass
class Search:
    """What hypothesis has tried, within a budget that begins with the first failure."""

    session: JudgeSession
    label: str
    case_id: str
    calls: int = 0
    smallest: tuple[float, Case, CaseFailure] | None = None
    cut: bool = False
    """Something was left untried."""
    _after: int = 0
    _since: float = 0.0
    _deaths: int = 0
    _tried: dict[str, CaseFailure | None] = field(default_factory=dict)

    def exhausted(self) -> bool:
        """Nothing more is tried."""
        if self.session.out_of_time():
            return True
        if self.smallest is None:
            return False
        if self.session.worn_out():
            return True
        late = time.monotonic() - self._since > SECONDS_AFTER_FAILURE
        return late or self._after >= CALLS_AFTER_FAILURE or self._deaths > RESTARTS

    def attempt(self, example: Case) -> bool:
        """Judge one example; True when it is right."""
        if self.exhausted():
            self.cut = True
            return True
        self.calls += 1
        self._after += self.smallest is not None
        seed = self.session.seeds.seed(self.case_id, hash_free(example))
        try:
            check_example(self.session, self.label, example, seed)
        except CaseFailure as failure:
            if self.smallest is None:
                self._since = time.monotonic()
            self._deaths += failure.status not in ("wrong",) and not failure.reason.startswith("the submission raised")
            size = math.prod(example.dims.values())
            if self.smallest is None or size <= self.smallest[0]:
                self.smallest = (size, example, failure)
            return False
        return True


def hash_free(example: Case) -> int:
    """A number for an example that is the same in every process."""
    import zlib

    return zlib.crc32(f"{sorted(example.dims.items())}{example.note}".encode())


def run_property(session: JudgeSession, case: PlannedCase) -> CaseResult:
    """Try up to the property's budget of examples; report the smallest that fails."""
    cell, name = case.cell, case.prop
    assert cell is not None
    assert name is not None
    session.submission(cell.dtype)  # what fails here fails without an input, so there is no example of it
    search = Search(session, cell.dtype, case.id)
    explore(session, case, search)
    result = CaseResult(id=case.id, kind="property", status="passed", dtype=cell.dtype, calls=search.calls)
    if search.smallest is None and search.cut:
        limit = session.order.deadline_s
        raise CaseFailure("timeout", f"{USED_UP} {limit:g} s is used up after {search.calls} examples")
    if search.smallest is None:
        return result
    _, example, failure = search.smallest
    raise PropertyFailure(failure, describe(example))


class PropertyFailure(CaseFailure):
    """The smallest failing example."""

    def __init__(self, failure: CaseFailure, example: str) -> None:
        super().__init__(failure.status, f"{failure.reason}, with {example}")
        known = failure.error if isinstance(failure, WrongOutput) else CaseError(message=failure.reason)
        self.error = CaseError(
            message=known.message, index=known.index, output=known.output, expected=known.expected, got=known.got,
            fraction=known.fraction, example=example,
        )  # fmt: skip


def describe(example: Case) -> str:
    """``n = 33, a[0] = inf``."""
    dims = ", ".join(f"{name} = {value}" for name, value in example.dims.items())
    return f"{dims}, {example.note}" if example.note else dims


def explore(session: JudgeSession, case: PlannedCase, search: Search) -> None:
    """Let hypothesis propose and shrink; what it raises is ignored, the search's list is the verdict."""
    import hypothesis
    import torch

    cell, name = case.cell, case.prop
    assert cell is not None
    assert name is not None
    native = {variable: getattr(torch, DTYPES[dtype].torch) for variable, dtype in cell.binding.items()}
    view: Any = SimpleNamespace(dims=cell.dims, dtypes=native, device=session.device.torch_device)
    strategy = session.oracle.strategy(name, view)

    @hypothesis.seed(session.seeds.seed(case.id, -1))
    @hypothesis.settings(
        max_examples=session.problem.file.properties[name].examples,
        phases=(hypothesis.Phase.explicit, hypothesis.Phase.generate, hypothesis.Phase.shrink),
        deadline=None, database=None, report_multiple_bugs=False, print_blob=False,
        suppress_health_check=list(hypothesis.HealthCheck),
    )  # fmt: skip
    @hypothesis.given(strategy)
    def propose(example: Case) -> None:
        if not search.attempt(example):
            raise AssertionError

    try:
        propose()
    except (AssertionError, ExceptionGroup, hypothesis.errors.HypothesisException):
        if search.smallest is None:
            raise
