"""The processor's judge takes its copy from a place that nobody can foresee."""

import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode

from kernelbot_core import Output
from kernelbot_device_cpu._judge import ONE_PIECE, CpuJudge


class Copies(TorchDispatchMode):
    """Where each copy begins, bytes from the start of its target."""

    def __init__(self):
        super().__init__()
        self.starts = []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        if func is torch.ops.aten.copy_.default and args[0].numel():
            self.starts.append(args[0].storage_offset())
        return func(*args, **(kwargs or {}))


@pytest.fixture
def judge():
    found = CpuJudge(0)
    yield found
    found.close()


@pytest.mark.parametrize("elements", [1, 64, ONE_PIECE // 4, ONE_PIECE // 4 + 1, 100_003])
def test_a_copy_is_whole_and_begins_somewhere_else_each_time(judge, elements):
    buffer = judge.allocate(4 * elements)
    output = buffer.tensor("fp32", [elements])
    first = set()
    for number in range(40):
        output.copy_(torch.arange(elements) + number)
        with Copies() as copies:
            (taken,) = judge.snapshot([Output(buffer, "fp32", [elements])])
        assert torch.equal(taken, torch.arange(elements, dtype=torch.float32) + number)
        first.add(copies.starts[0])
    assert len(first) > 10 if 4 * elements > ONE_PIECE else first == {0}
    del output, taken
    buffer.close()
