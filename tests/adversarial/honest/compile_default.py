# tries: torch.compile as it comes
# problems: softmax
# expect: passed
# device: gpu
# credit: compiled twice, kernels may differ
import torch


@torch.compile(dynamic=False)
def softmax(x):
    e = torch.exp(x - x.amax(-1, keepdim=True))
    return e / e.sum(-1, keepdim=True)


def solve(x, y, rows, cols):
    y.copy_(softmax(x))
