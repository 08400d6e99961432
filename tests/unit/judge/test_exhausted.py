"""Who is to blame when the judge finds no memory."""

from types import SimpleNamespace

import pytest

from kernelbot_core.errors import CaseFailure, InfrastructureError
from kernelbot_core.judge import exhausted
from kernelbot_core.judge.exhausted import exhaustion_is_a_verdict
from kernelbot_core.testing import ScriptedDevice

GI = 1 << 30


class Card(ScriptedDevice):
    """So much memory comes back when the submission's process has ended."""

    context_bytes = GI // 2

    def __init__(self, held):
        super().__init__()
        self.held, self.ended = held, False

    def memory_free(self):
        return 3 * GI + (self.held if self.ended else 0)


@pytest.fixture
def fail(monkeypatch):
    monkeypatch.setattr(exhausted, "SETTLE_S", 0.0)

    def run(held, error):
        card = Card(held)
        session = SimpleNamespace(device=card, end_submission=lambda: setattr(card, "ended", True))
        with pytest.raises((CaseFailure, RuntimeError, KeyError)) as caught, exhaustion_is_a_verdict(session):
            raise error
        return caught.value, card.ended

    return run


ERRORS = [
    RuntimeError("CUDA out of memory. Tried to allocate 4.00 GiB.\nMore advice."),
    RuntimeError("[enforce fail at alloc_cpu.cpp:117] DefaultCPUAllocator: can't allocate memory"),
    InfrastructureError("no room for a buffer of 4.00 GiB: CUDA driver: out of memory (CUDA_ERROR_OUT_OF_MEMORY)"),
    MemoryError(),
]


@pytest.mark.parametrize("error", ERRORS)
def test_a_submission_that_held_memory_is_to_blame(fail, error):
    failure, ended = fail(100 * GI, error)
    assert ended
    assert failure.status == "out_of_memory"
    assert failure.reason == "the submission left no memory on the GPU for the judge: it held 99.5 GiB"


@pytest.mark.parametrize("error", ERRORS)
def test_a_submission_that_held_its_context_only_is_not(fail, error):
    failure, _ = fail(GI // 2, error)
    assert isinstance(failure, CaseFailure)
    assert failure.status == "infrastructure"
    assert "\n" not in failure.reason


@pytest.mark.parametrize("error", [CaseFailure("crashed", "out of memory"), RuntimeError("a bug"), KeyError("n")])
def test_everything_else_passes(fail, error):
    failure, ended = fail(100 * GI, error)
    assert failure is error
    assert not ended
