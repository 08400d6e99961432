# tries: torch.compile with CUDA graphs
# problems: softmax
# expect: passed
# device: gpu
# credit: copies its inputs into static buffers
import torch


@torch.compile(mode="reduce-overhead", dynamic=False)
def softmax(x):
    e = torch.exp(x - x.amax(-1, keepdim=True))
    return e / e.sum(-1, keepdim=True)


def solve(x, y, rows, cols):
    y.copy_(softmax(x))
