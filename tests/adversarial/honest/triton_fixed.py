#!kernelbot language triton
# tries: a Triton kernel with one configuration
# problems: vector_add
# expect: passed
import torch
import triton
import triton.language as tl


@triton.jit
def add(a, b, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(a + at, mask=at < n) + tl.load(b + at, mask=at < n), mask=at < n)


def solve(a, b, out, n):
    block = 1024 if a.is_cuda else 65536
    add[(triton.cdiv(n, block),)](a, b, out, n, BLOCK=block)
