"""What no tolerance states about a softmax: a row sums to one, and shifting a row changes nothing."""

import pytest
import torch

DIMS = {"rows": 5, "cols": 333}
ERROR = {"fp32": 1e-5, "fp16": 1e-3}


def _rows(problem, label):
    dtype = {"fp32": torch.float32, "fp16": torch.float16}[problem.bindings[label]["T"]]
    # multiples of 1/64: adding 8 to them is exact in fp16, so that the shifted rows differ by the shift alone
    return (torch.arange(5 * 333) * 37 % 257 - 128).div(64).view(5, 333).to(dtype)


@pytest.mark.parametrize("label", list(ERROR))
def test_rows_sum_to_one(problem, submission, label):
    (y,) = submission.call(label, DIMS, [_rows(problem, label)])
    assert (y >= 0).all(), "a probability is negative"
    worst = (y.double().sum(dim=-1) - 1).abs().max().item()
    assert worst <= ERROR[label], f"a row sums to one with an error of {worst:.3g}; {ERROR[label]:g} is allowed"


@pytest.mark.parametrize("label", list(ERROR))
def test_a_shift_changes_nothing(problem, submission, label):
    x = _rows(problem, label)
    (plain,) = submission.call(label, DIMS, [x])
    (shifted,) = submission.call(label, DIMS, [x + 8])
    torch.testing.assert_close(shifted, plain, rtol=2 * ERROR[label], atol=0.0)
