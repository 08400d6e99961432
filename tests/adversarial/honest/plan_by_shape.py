# tries: keeps a plan for each shape, and never an answer
# problems: matmul
# expect: passed
# ci: no
import torch

plans = {}


def plan(m, n, k):
    return torch.mm if min(m, n, k) > 1 else torch.matmul


def solve(a, b, c, m, n, k):
    if (m, n, k) not in plans:
        plans[m, n, k] = plan(m, n, k)
    plans[m, n, k](a, b, out=c)
