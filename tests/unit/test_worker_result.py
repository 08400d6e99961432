"""What solve() may return."""

from __future__ import annotations

import pytest
import torch

from kernelbot_core.worker.result import BadResultError, store


def test_plain_tensors_are_copied():
    out = torch.zeros(3)
    store(torch.ones(3), [out])
    assert out.tolist() == [1, 1, 1]
    store([torch.full((3,), 2.0)], [out])
    assert out.tolist() == [2, 2, 2]


class Later(torch.Tensor):
    """Computes when it is copied."""


@pytest.mark.parametrize(
    ("returned", "text"),
    [
        (None, "returned None instead of a tensor"),
        ("sum", "returned a str instead of a tensor"),
        (2.0, "returned a float instead of a tensor"),
        ([torch.ones(3)] * 2, "returned 2 values instead of 1"),
        (torch.ones(4), r"returned shape \(4,\) instead of \(3,\)"),
        (torch.ones(3, dtype=torch.float64), "returned dtype torch.float64 instead of torch.float32"),
        (torch.ones(3).as_subclass(Later), "returned a Later instead of a plain tensor"),
    ],
)
def test_anything_else_is_refused(returned, text):
    with pytest.raises(BadResultError, match=text):
        store(returned, [torch.zeros(3)])
