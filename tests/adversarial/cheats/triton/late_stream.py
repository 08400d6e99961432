#!kernelbot language triton
# tries: a Triton launch on a stream that starts at the gate and is never joined
# problems: vector_add
# expect: wrong|not_attested|no_gain
# device: gpu
# mode: benchmark
# naive: settle=0.1
import torch
import triton
import triton.language as tl

side = torch.cuda.Stream()


@triton.jit
def add(a, b, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(a + at, mask=at < n) + tl.load(b + at, mask=at < n), mask=at < n)


def solve(a, b, out, n):
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        add[(triton.cdiv(n, 1024),)](a, b, out, n, BLOCK=1024)
