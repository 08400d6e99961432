#!kernelbot language triton
# tries: a grid of half the blocks: the rest is hoped to go unseen
# problems: vector_add
# expect: wrong
# device: gpu
# naive: compare=first_row
import torch
import triton
import triton.language as tl


@triton.jit
def add(a, b, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(a + at, mask=at < n) + tl.load(b + at, mask=at < n), mask=at < n)


def solve(a, b, out, n):
    add[(max(1, triton.cdiv(n, 1024) // 2),)](a, b, out, n, BLOCK=1024)
