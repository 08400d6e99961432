# tries: a pool of threads that the call waits for
# problems: vector_add
# expect: passed
# ci: no
# device: cpu
from concurrent.futures import ThreadPoolExecutor

import torch

pool = ThreadPoolExecutor(2)


def solve(a, b, out, n):
    half = n // 2
    parts = [slice(0, half), slice(half, n)]
    list(pool.map(lambda part: torch.add(a[part], b[part], out=out[part]), parts))
