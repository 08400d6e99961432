import torch

INPUTS = 1


def honest(x, y, rows, cols):
    torch.softmax(x, dim=-1, out=y)


def partly(share, x, y, rows, cols):
    """Work on the first ``share`` of the output alone."""
    few = max(1, int(rows * share))
    torch.softmax(x[:few], dim=-1, out=y[:few])
