"""An element that nobody wrote is told apart from one that is wrong."""

import pytest
import torch

from kernelbot_core import Output
from kernelbot_core.judge.poison import Poison

SHAPE = (31, 1777)


@pytest.fixture
def poisoned(device):
    """``poisoned(dtype)`` -> what two outputs held, their tensors, and how to copy them as the judge does."""
    buffers = []

    def make(dtype):
        size = getattr(torch, {"fp32": "float32", "fp16": "float16", "int64": "int64", "int8": "int8"}[dtype]).itemsize
        buffers.extend(device.allocate(size * SHAPE[0] * SHAPE[1]) for _ in range(2))
        outputs = [Output(buffer, dtype, SHAPE) for buffer in buffers]
        return (
            Poison.fresh(device, outputs),
            [b.tensor(dtype, SHAPE) for b in buffers],
            lambda: device.snapshot(outputs),
        )

    yield make
    for buffer in buffers:
        buffer.close()


@pytest.mark.parametrize("dtype", ["fp32", "fp16", "int64"])
def test_what_was_left_and_what_was_written(poisoned, dtype):
    poison, tensors, copy = poisoned(dtype)
    before = tensors[1][30, 1776].item()
    tensors[1][:30] = 1
    tensors[1][30, 0] = 2
    copies = copy()
    for number, index, left in [(1, [30, 1776], True), (1, [29, 5], False), (1, [30, 0], False), (0, [30, 1776], True)]:
        assert poison.still_at(number, index, copies[number]) is left
    assert tensors[1][30, 1776].item() == pytest.approx(before, nan_ok=True)


def test_one_byte_may_be_right_by_chance(poisoned):
    poison, _, copy = poisoned("int8")
    assert not poison.still_at(0, [0, 0], copy()[0])


def test_no_memory_to_find_out_is_no_accident(poisoned, device, monkeypatch):
    poison, _, copy = poisoned("fp32")
    copies = copy()

    def full(buffer, seed):
        raise torch.OutOfMemoryError

    monkeypatch.setattr(device, "poison", full)
    assert not poison.still_at(0, [0, 0], copies[0])


def test_each_call_has_poison_of_its_own(device, poisoned):
    first, tensors, _ = poisoned("fp32")
    kept = tensors[0].view(torch.int32).clone()
    again = Poison.fresh(device, first.outputs)
    assert set(first.seeds).isdisjoint(again.seeds)
    assert not torch.equal(tensors[0].view(torch.int32), kept)
