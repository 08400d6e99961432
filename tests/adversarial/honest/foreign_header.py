#!POPCORN leaderboard vector_add
# tries: a file that was written for another judge, header and all
# problems: vector_add
# expect: passed
# ci: no
import torch


def solve(a, b, out, n):
    torch.add(a, b, out=out)
