"""A call in many blocks is the same call: same inputs each time, same verdict, one block in memory at a time."""

from pathlib import Path

import pytest
import torch

import problem_packs
from kernelbot_core import Case
from kernelbot_core.judge.blocks import block_seed, walk
from kernelbot_core.judge.draw import Draw
from kernelbot_core.judge.oracle import Oracle
from kernelbot_core.packs.code import load_code
from kernelbot_core.packs.load import load_problem

PACKS = Path(next(iter(problem_packs.__path__)))
N, BLOCK = 10_007, 1000

SCALED = """
format = 1
title = "Scaled rows"
summary = "y[r, :] = x[r, :] * w"
area = "elementwise"
difficulty = "intro"
[signature]
dims = ["rows", "cols"]
inputs = [
  { name = "x", dtype = "T", shape = ["rows", "cols"] },
  { name = "w", dtype = "T", shape = ["cols"] },
]
outputs = [{ name = "y", dtype = "T", shape = ["rows", "cols"] }]
separable = "rows"
[grid]
dtypes = ["fp32"]
[grid.sizes]
small = { rows = 33, cols = 300 }
[inputs]
seed = 1
[tolerance]
rule = "elementwise"
[work]
bytes = "8 * rows * cols"
flops = "rows * cols"
"""
SCALED_CODE = """
import torch

def inputs(cell, gen):
    rows, cols = cell.dims["rows"], cell.dims["cols"]
    return tuple(torch.randn(shape, generator=gen, device=cell.device) for shape in ((rows, cols), (cols,)))

def reference(x, w):
    return x * w
"""


def oracle_of(folder, *, whole=BLOCK, block=BLOCK):
    problem = load_problem(folder)
    oracle = Oracle(problem, load_code(folder), "cpu")
    oracle.whole, oracle.block = whole, block
    return oracle


@pytest.fixture
def scaled(tmp_path):
    folder = tmp_path / "scaled"
    folder.mkdir()
    (folder / "problem.toml").write_text(SCALED)
    (folder / "problem.py").write_text(SCALED_CODE)
    return oracle_of(folder)


@pytest.fixture(scope="module")
def add():
    return oracle_of(PACKS / "vector_add")


@pytest.fixture
def placed(device):
    """Buffers for tensors; closed at the end."""
    made = []

    def place(tensors):
        made.extend(buffers := [device.allocate(tensor.nbytes) for tensor in tensors])
        return buffers

    yield place
    for buffer in made:
        buffer.close()


def test_the_walk_covers_every_row_once(add):
    signature = add._problem.signature
    for n in (BLOCK + 1, 2 * BLOCK, N):
        rows = walk(signature, {"n": n}, whole=BLOCK, block=BLOCK)
        assert [row.number for row in rows] == list(range(len(rows)))
        assert [i for row in rows for i in range(row.start, row.stop)] == list(range(n))
    assert walk(signature, {"n": BLOCK}, whole=BLOCK, block=BLOCK) == []


def test_rows_that_are_longer_than_a_block_come_one_by_one():
    signature = load_problem(PACKS / "softmax").signature
    assert [(r.start, r.stop) for r in walk(signature, {"rows": 3, "cols": 50}, whole=20, block=20)] == [
        (0, 1), (1, 2), (2, 3),
    ]  # fmt: skip


def test_a_problem_that_is_not_separable_is_one_block():
    signature = load_problem(PACKS / "matmul").signature
    assert walk(signature, {"m": 99, "n": 99, "k": 99}, whole=1, block=1) == []


def test_the_same_seed_gives_the_same_inputs(add):
    first, again, other = (add.draw("fp32", {"n": N}, seed).tensors() for seed in (3, 3, 4))
    assert all(torch.equal(a, b) for a, b in zip(first, again, strict=True))
    assert not any(torch.equal(a, b) for a, b in zip(first, other, strict=True))


def test_blocks_are_seeded_as_documented(add):
    whole = add.draw("fp32", {"n": N}, 3).tensors()
    part = Oracle(add._problem, add._pack, "cpu").draw("fp32", {"n": BLOCK}, block_seed(3, 4)).tensors()
    for one, block in zip(whole, part, strict=True):
        assert torch.equal(one[4 * BLOCK : 5 * BLOCK], block)


def test_a_block_is_another_than_the_one_before(add):
    a, _ = add.draw("fp32", {"n": 2 * BLOCK}, 3).tensors()
    assert not torch.equal(a[:BLOCK], a[BLOCK:])


def test_a_filled_case_is_one_block(add):
    case = Case({"n": N}, fill=lambda a, b: a.__setitem__(N - 1, 7.0))
    draw = add.draw("fp32", {"n": N}, 3, case)
    assert len(list(draw.blocks())) == 1
    assert draw.tensors()[0][-1] == 7.0


def test_inputs_without_the_dimension_are_the_same_for_all_blocks(scaled, device, placed):
    dims = {"rows": 33, "cols": 300}
    draw = scaled.draw("fp32", dims, 3)
    x, w = draw.tensors()
    assert len(list(draw.blocks())) == 11
    assert x.shape == (33, 300)
    assert scaled.check("fp32", dims, draw, [x * w]).ok
    wrong = x * w
    wrong[32, 299] += 1
    assert scaled.check("fp32", dims, draw, [wrong]).error.index == [32, 299]
    buffers = placed([x, w])
    draw.write_to(device, buffers)
    assert all(device.unchanged(one, buffer) for one, buffer in zip((x, w), buffers, strict=True))
    buffers[1].tensor("fp32", (300,))[0] += 1
    assert not draw.unchanged(device, buffers)


def test_what_is_written_is_what_is_drawn(add, device, placed):
    draw = add.draw("fp32", {"n": N}, 3)
    tensors = draw.tensors()
    buffers = placed(tensors)
    draw.write_to(device, buffers)
    assert draw.unchanged(device, buffers)
    assert all(device.unchanged(one, buffer) for one, buffer in zip(tensors, buffers, strict=True))


@pytest.mark.parametrize("at", [0, BLOCK - 1, BLOCK, 5 * BLOCK + 17, N - 1])
@pytest.mark.parametrize("which", [0, 1])
def test_a_changed_input_is_seen_in_any_block(add, device, placed, at, which):
    draw = add.draw("fp32", {"n": N}, 3)
    buffers = placed(draw.tensors())
    draw.write_to(device, buffers)
    buffers[which].tensor("int32", (N,))[at] ^= 1
    assert not draw.unchanged(device, buffers)


def verdicts(oracle, tensors, got):
    """The same outputs, in blocks and at once."""
    dims = {"n": N}
    blocks, whole = oracle.draw("fp32", dims, 3), Draw.given(tensors)
    assert len(list(blocks.blocks())) == 11
    return oracle.check("fp32", dims, blocks, [got]), oracle.check("fp32", dims, whole, [got])


@pytest.mark.parametrize("at", [0, BLOCK - 1, BLOCK, 5 * BLOCK + 17, N - 1])
@pytest.mark.parametrize("value", [100.0, float("nan"), float("inf")])
def test_the_verdict_is_that_of_the_whole(add, at, value):
    a, b = tensors = add.draw("fp32", {"n": N}, 3).tensors()
    right = a + b
    one, other = verdicts(add, tensors, right)
    assert one == other
    assert one.ok
    wrong = right.clone()
    wrong[at] = value
    one, other = verdicts(add, tensors, wrong)
    assert not one.ok
    assert one.error == other.error
    assert one.error.index == [at]
    assert (one.fraction, one.max_diff) == (other.fraction, other.max_diff)


def test_swapped_blocks_are_wrong(add):
    a, b = tensors = add.draw("fp32", {"n": N}, 3).tensors()
    wrong = a + b
    wrong[:BLOCK], wrong[BLOCK : 2 * BLOCK] = wrong[BLOCK : 2 * BLOCK].clone(), wrong[:BLOCK].clone()
    assert not any(verdict.ok for verdict in verdicts(add, tensors, wrong))


def test_sums_of_the_vector_addition_have_to_be_rounded(add):
    a, b = add.draw("fp32", {"n": N}, 3).tensors()
    assert float(((a + b).double() != a.double() + b.double()).float().mean()) > 0.3
