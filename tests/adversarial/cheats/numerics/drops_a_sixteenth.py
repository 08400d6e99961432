# tries: leaves the last sixteenth of k out: within a loose tolerance
# problems: matmul
# expect: wrong
# device: cpu
# ci: no
# naive: tolerance=3
# gain: forged
import torch


def solve(a, b, c, m, n, k):
    most = max(1, k - k // 16)
    torch.matmul(a[:, :most], b[:most], out=c)
