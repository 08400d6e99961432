# tries: torch.compile, tuned to the utmost
# problems: softmax
# expect: passed
# device: gpu
# credit: the plain loop tunes for itself
import torch


@torch.compile(mode="max-autotune-no-cudagraphs", dynamic=False)
def softmax(x):
    e = torch.exp(x - x.amax(-1, keepdim=True))
    return e / e.sum(-1, keepdim=True)


def solve(x, y, rows, cols):
    y.copy_(softmax(x))
