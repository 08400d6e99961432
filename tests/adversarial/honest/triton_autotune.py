#!kernelbot language triton
# tries: twenty configurations, tuned in the first call of each shape
# problems: vector_add
# expect: passed
# device: gpu
# credit: the plain loop tunes for itself and may choose another configuration
import torch
import triton
import triton.language as tl

CONFIGS = [
    triton.Config({"BLOCK": block}, num_warps=warps) for block in (256, 512, 1024, 2048, 4096) for warps in (1, 2, 4, 8)
]


@triton.autotune(configs=CONFIGS, key=["n"])
@triton.jit
def add(a, b, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(a + at, mask=at < n) + tl.load(b + at, mask=at < n), mask=at < n)


def solve(a, b, out, n):
    add[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](a, b, out, n)
