"""The tolerance accepts what rounding does and refuses what it does not."""

import math
from types import SimpleNamespace

import pytest
import torch

from kernelbot_core.judge.compare import compare
from kernelbot_core.model.problem import Accumulate, Elementwise, Exact

INF, NAN = math.inf, math.nan


def judge(rule, expected, got, *, magnitude=None, dims=None, dtype=None):
    got = torch.tensor(got, dtype=dtype) if not isinstance(got, torch.Tensor) else got
    expected = torch.tensor(expected) if not isinstance(expected, torch.Tensor) else expected
    expected = expected.double() if got.is_floating_point() else expected
    names = {torch.float32: "fp32", torch.float16: "fp16", torch.bfloat16: "bf16"}
    name = (names | {torch.int32: "int32", torch.int64: "int64"})[got.dtype]
    signature = SimpleNamespace(inputs=[], outputs=[SimpleNamespace(name="out")], dtypes=lambda binding: [name])
    problem = SimpleNamespace(file=SimpleNamespace(tolerance=rule), signature=signature)
    pack = SimpleNamespace(magnitude=lambda *a: torch.as_tensor(magnitude).double())
    return compare(problem, {}, dims or {}, [], [expected], [got], pack)


def test_within_and_beyond():
    assert judge(Elementwise(), [1.0], [1.000009]).ok
    wrong = judge(Elementwise(), [1.0, 2.0, 3.0], [1.0, 2.1, 3.0])
    assert not wrong.ok
    assert wrong.error.index == [1]
    assert wrong.max_diff == pytest.approx(0.1, rel=1e-5)
    assert "out[1]" in wrong.error.message


@pytest.mark.parametrize(("want", "got", "ok"), [
    (NAN, NAN, True), (NAN, 0.0, False), (0.0, NAN, False), (INF, INF, True), (INF, -INF, False),
    (-INF, -INF, True), (INF, 3e38, False), (1.0, INF, False), (0.0, 0.0, True), (0.0, -0.0, True), (0.0, 1e-30, False),
])  # fmt: skip
def test_special_values(want, got, ok):
    assert judge(Elementwise(), [want, 1.0], [got, 1.0]).ok is ok


def test_overflow_of_the_output_dtype_is_accepted():
    assert judge(Elementwise(), [65519.99], [INF], dtype=torch.float16).ok
    assert judge(Elementwise(), [70000.0], [INF], dtype=torch.float16).ok
    assert not judge(Elementwise(), [70000.0], [-INF], dtype=torch.float16).ok
    assert not judge(Elementwise(), [60000.0], [INF], dtype=torch.float16).ok


def test_infinite_magnitude_does_not_open_the_bound():
    rule = Elementwise(scale="magnitude")
    assert not judge(rule, [1.0, 1.0], [5.0, 1.0], magnitude=[INF, 1.0]).ok


def test_magnitude_scale_allows_cancellation():
    rule = Elementwise(scale="magnitude")
    assert judge(rule, [1e-6], [1.5e-6], magnitude=[2.0]).ok
    assert not judge(Elementwise(), [1e-6], [1.5e-6]).ok


def test_zeros_never_pass_for_tiny_values():
    assert not judge(Elementwise(), [1e-20] * 4, [0.0] * 4).ok


def test_integers_are_exact():
    assert judge(Exact(), torch.tensor([1, 2], dtype=torch.int32), torch.tensor([1, 2], dtype=torch.int32)).ok
    assert not judge(Exact(), torch.tensor([1, 2], dtype=torch.int32), torch.tensor([1, 3], dtype=torch.int32)).ok


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_accumulation(dtype):
    torch.manual_seed(0)
    k, rule = 512, Accumulate(length="k")
    a, b = torch.randn(32, k).to(dtype), torch.randn(k, 32).to(dtype)
    exact, magnitude = a.double() @ b.double(), a.double().abs() @ b.double().abs()

    def fraction(result):
        return judge(rule, exact, result.to(dtype), magnitude=magnitude, dims={"k": k}).fraction

    split = sum(a[:, i::8].float() @ b[i::8].float() for i in range(8))
    assert fraction(a.float() @ b.float()) < 1
    assert fraction(split) < 1
    dropped = a[:, :-1].float() @ b[:-1].float()
    assert fraction(dropped) > 1
    low = torch.zeros(32, 32, dtype=dtype)
    for i in range(k):
        low = low + a[:, i, None] * b[i]
    assert fraction(low) > 1
    assert fraction(torch.zeros(32, 32)) > 1


@pytest.mark.parametrize("size", [1, 7, (1 << 15) - 1, 1 << 15, (1 << 15) + 1, 100_003])
def test_the_last_element_is_looked_at(size):
    want = torch.ones(size)
    got = want.clone()
    got[-1] = 2.0
    assert judge(Elementwise(), want, got).error.index == [size - 1]


def test_two_dimensions_are_indexed():
    want = torch.ones(3, 5)
    got = want.clone()
    got[2, 1] = 0
    assert judge(Elementwise(), want, got).error.index == [2, 1]


@pytest.mark.parametrize("got", [-(2**63), 1, -1, 2**63 - 1, 2**62])
def test_no_wrong_integer_is_too_far_away(got):
    seen = judge(Exact(), torch.tensor([7, 0, 7]), torch.tensor([7, got, 7]))
    assert not seen.ok
    assert seen.error.index == [1]
    assert seen.max_diff == float(abs(got))
    assert judge(Exact(), torch.tensor([got, 0]), torch.tensor([got, 0])).ok
