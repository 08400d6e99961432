#!kernelbot language triton
# tries: tl.dot with ten-bit factors under an fp32 signature
# problems: matmul
# expect: wrong
# device: gpu
#!kernelbot dtypes fp32
import torch
import triton
import triton.language as tl


@triton.jit
def product(a, b, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    inner = tl.arange(0, BK)
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(0, k, BK):
        at = start + inner
        left = tl.load(a + rows[:, None] * k + at[None, :], mask=(rows[:, None] < m) & (at[None, :] < k), other=0.0)
        right = tl.load(b + at[:, None] * n + columns[None, :], mask=(at[:, None] < k) & (columns[None, :] < n), other=0.0)
        total = tl.dot(left, right, total, input_precision="tf32")
    tl.store(c + rows[:, None] * n + columns[None, :], total, mask=(rows[:, None] < m) & (columns[None, :] < n))


def solve(a, b, c, m, n, k):
    product[(triton.cdiv(m, 128), triton.cdiv(n, 128))](a, b, c, m, n, k, BM=128, BN=128, BK=32, num_warps=8)
