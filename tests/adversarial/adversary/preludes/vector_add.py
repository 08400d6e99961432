import torch

INPUTS = 2


def honest(a, b, out, n):
    torch.add(a, b, out=out)


def partly(share, a, b, out, n):
    """Work on the first ``share`` of the output alone."""
    few = max(1, int(n * share))
    torch.add(a[:few], b[:few], out=out[:few])
