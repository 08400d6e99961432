# tries: partial products summed in fp32
# problems: matmul
# expect: passed
# ci: no
# credit: several kernels, whose launches the plain loop hides less well
import torch


def solve(a, b, c, m, n, k):
    half = max(1, k // 2)
    first = a[:, :half].float() @ b[:half].float()
    c.copy_(first + a[:, half:].float() @ b[half:].float() if half < k else first)
