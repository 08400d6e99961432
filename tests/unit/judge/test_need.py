"""What a cell needs: the figures of the large sizes, and the formula held against bytes that are counted."""

from pathlib import Path

import pytest
import torch

import problem_packs
from kernelbot_core.judge import compare
from kernelbot_core.judge.need import CEILING, kept, need
from kernelbot_core.judge.oracle import Oracle
from kernelbot_core.packs.code import load_code
from kernelbot_core.packs.load import load_problem
from kernelbot_core.testing import ScriptedDevice

PACKS = Path(next(iter(problem_packs.__path__)))
GI = 1 << 30
JUDGE = 1 * GI
"""More than the judge's own runtime and flush buffer take."""


class Gpu(ScriptedDevice):
    """As far as memory goes, a GPU of 140 GB."""

    shares = True
    max_sets = 8
    context_bytes = 640 << 20
    keep_bytes = 35 * GI


def large(pack="vector_add", size="large", dtype="fp32"):
    problem = load_problem(PACKS / pack)
    [dims] = [cell.dims for cell in problem.cells if cell.size == size and cell.dtype == dtype]
    return problem, dtype, dims


def test_a_vector_addition_of_a_gibi_fits_into_20_gib():
    problem, dtype, dims = large()
    assert dims == {"n": GI}
    found = need(problem, dtype, dims, Gpu())
    assert 12 * GI <= found.buffers < 12.01 * GI
    assert found.inputs == 0
    assert found.copies == 4 * GI
    assert found.total + JUDGE <= 20 * GI
    assert kept(problem, dtype, dims, Gpu()) < found.copies, "its copies never wait"


def test_without_sharing_or_blocks_it_would_not_fit():
    problem, dtype, dims = large()
    device = Gpu()
    device.shares = False
    assert need(problem, dtype, dims, device).total > 30 * GI
    assert need(problem, dtype, dims, Gpu(), whole=dims["n"]).total > 40 * GI


@pytest.mark.parametrize("dtype", ["fp32", "fp16", "bf16"])
def test_copies_of_smaller_cells_wait(dtype):
    for size in ("small", "medium"):
        problem, _, dims = large(size=size, dtype=dtype)
        one = sum(problem.signature.nbytes(dims, problem.bindings[dtype]))
        assert kept(problem, dtype, dims, Gpu()) > 50 * one


def test_nothing_waits_beyond_the_ceiling():
    for pack in ("vector_add", "softmax", "matmul"):
        problem = load_problem(PACKS / pack)
        for cell in problem.cells:
            keep = kept(problem, cell.dtype, cell.dims, Gpu())
            assert 0 <= keep <= Gpu.keep_bytes
            assert keep == 0 or keep + need(problem, cell.dtype, cell.dims, Gpu()).total <= CEILING


def test_it_says_what_for():
    problem, dtype, dims = large()
    assert str(need(problem, dtype, dims, Gpu())) == (
        f"{need(problem, dtype, dims, Gpu()).total / GI:.1f} GiB "
        "(shared 12.0, own copy 4.0, comparing 1.4, processes 1.2)"
    )


@pytest.mark.parametrize("odd", [False, True])
@pytest.mark.parametrize(
    ("pack", "dims"),
    [
        ("vector_add", {"n": 1_000_000}),
        ("softmax", {"rows": 4000, "cols": 250}),
        ("matmul", {"m": 90, "n": 80, "k": 70}),
    ],
)
def test_the_formula_holds_for_what_is_counted(monkeypatch, live_bytes, pack, dims, odd):
    """Drawing and comparing, with outputs that are finite and with ones that are not."""
    whole, block, chunk = 1 << 17, 1 << 16, 1 << 14
    monkeypatch.setattr(compare, "CHUNK_CPU", chunk)
    problem = load_problem(PACKS / pack)
    oracle = Oracle(problem, load_code(PACKS / pack), "cpu")
    oracle.whole, oracle.block = whole, block
    allowed = need(problem, "fp32", dims, Gpu(), whole=whole, block=block, chunk=chunk)
    draw = oracle.draw("fp32", dims, 1)
    [got] = [output.float() for output in [oracle._pack.reference(*(t.double() for t in draw.tensors()))]]
    if odd:
        got.view(-1)[::1000] = torch.nan
    with live_bytes:
        again = oracle.draw("fp32", dims, 1)
        assert oracle.check("fp32", dims, again, [got]).ok != odd
    assert live_bytes.peak <= allowed.inputs + allowed.temporaries
    assert live_bytes.peak >= 0.4 * (allowed.inputs + allowed.temporaries), "the formula is no guess"
