import torch

INPUTS = 2


def honest(a, b, c, m, n, k):
    torch.matmul(a, b, out=c)


def partly(share, a, b, c, m, n, k):
    """Work on the first ``share`` of the output alone."""
    few = max(1, int(m * share))
    torch.matmul(a[:few], b, out=c[:few])
