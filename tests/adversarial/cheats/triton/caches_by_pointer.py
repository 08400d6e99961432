#!kernelbot language triton
# tries: the first answer for everything at the same addresses, copied out by a Triton kernel
# problems: softmax
# expect: wrong
# device: gpu
# gain: forged
import torch
import triton
import triton.language as tl

kept = {}


@triton.jit
def copy(source, target, n, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    tl.store(target + at, tl.load(source + at, mask=at < n), mask=at < n)


def solve(x, y, rows, cols):
    key = (x.data_ptr(), rows, cols)
    if key not in kept:
        kept[key] = torch.softmax(x, dim=-1)
    n = y.numel()
    copy[(triton.cdiv(n, 1024),)](kept[key], y, n, BLOCK=1024)
