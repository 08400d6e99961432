#!kernelbot language triton
import torch
import triton
import triton.language as tl


@triton.jit
def kernel(
    a_ptr, b_ptr, c_ptr, m, n, k, PRECISION: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr
):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    cols = tl.program_id(1) * BN + tl.arange(0, BN)
    ks = tl.arange(0, BK)
    total = tl.zeros((BM, BN), tl.float32)
    for start in range(0, k, BK):
        inside = start + ks
        a = tl.load(
            a_ptr + rows[:, None] * k + inside[None, :], mask=(rows[:, None] < m) & (inside[None, :] < k), other=0.0
        )
        b = tl.load(
            b_ptr + inside[:, None] * n + cols[None, :], mask=(inside[:, None] < k) & (cols[None, :] < n), other=0.0
        )
        total = tl.dot(a, b, total, input_precision=PRECISION)
    tl.store(
        c_ptr + rows[:, None] * n + cols[None, :],
        total.to(c_ptr.dtype.element_ty),
        mask=(rows[:, None] < m) & (cols[None, :] < n),
    )


def solve(a, b, c, m, n, k):
    # the interpreter pays for each program, the GPU for each idle lane
    block = 64 if a.is_cuda else 128
    # full fp32: the tolerance refuses tf32
    kernel[(triton.cdiv(m, block), triton.cdiv(n, block))](a, b, c, m, n, k, "ieee", BM=block, BN=block, BK=32)
