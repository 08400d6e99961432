from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from kernelbot_core import c_prototype, c_type, python_prototype
from kernelbot_core.model.problem import Scalar
from kernelbot_core.packs.load import load_problem

PACKS = Path(__file__).parents[3] / "problem_packs"


@pytest.fixture
def matmul():
    return load_problem(PACKS / "matmul").signature


def test_python(matmul):
    assert python_prototype(matmul) == "solve(a, b, c, m, n, k)"
    assert python_prototype(matmul, returns=True) == "solve(a, b, m, n, k)"


def test_c_for_all_dtypes_at_once(matmul):
    assert c_prototype(matmul) == (
        'extern "C" void solve(const KB_T* a, const KB_T* b, KB_O* c, int64_t m, int64_t n, int64_t k, '
        "cudaStream_t stream)"
    )


def test_c_for_one_binding(matmul):
    assert c_prototype(matmul, {"T": "bf16", "O": "fp32"}) == (
        'extern "C" void solve(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c, int64_t m, int64_t n, '
        "int64_t k, cudaStream_t stream)"
    )


@pytest.mark.parametrize(
    ("dtype", "wanted"), [("int32", "int32_t"), ("int64", "int64_t"), ("fp32", "float"), ("fp64", "double")]
)
def test_scalars_are_passed_by_value(matmul, dtype, wanted):
    signature = msgspec.structs.replace(matmul, scalars=[Scalar(name="alpha", dtype=dtype, value="m")])
    assert c_prototype(signature).endswith(f", {wanted} alpha, cudaStream_t stream)")


def test_a_fixed_dtype_is_its_own_type():
    assert (c_type("uint8"), c_type("fp8_e4m3"), c_type("O")) == ("uint8_t", "__nv_fp8_e4m3", "KB_O")


@pytest.mark.parametrize("folder", sorted(p.parent for p in PACKS.glob("*/problem.toml")), ids=lambda p: p.name)
def test_the_statement_of_each_pack_states_the_call(folder):
    signature, text = load_problem(folder).signature, (folder / "README.md").read_text()
    for line in (python_prototype(signature), python_prototype(signature, returns=True), c_prototype(signature)):
        assert line in text
