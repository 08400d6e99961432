#!kernelbot language triton
import torch
import triton
import triton.language as tl


@triton.jit
def add(a, b, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(out + at, tl.load(a + at, mask=inside) + tl.load(b + at, mask=inside), mask=inside)


def solve(a, b, out, n):
    block = 1024 if a.is_cuda else 65536  # Triton's interpreter is slow per program, not per element
    add[(triton.cdiv(n, block),)](a, b, out, n, BLOCK=block)
