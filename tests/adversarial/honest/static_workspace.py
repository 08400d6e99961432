# tries: a workspace that is made once and kept for every later call
# problems: softmax
# expect: passed
# ci: no
# credit: several kernels, whose launches the plain loop hides less well
import torch

workspace = {}


def solve(x, y, rows, cols):
    key = (rows, x.dtype, x.device)
    if key not in workspace:
        workspace[key] = torch.empty(rows, 1, dtype=torch.float32, device=x.device)
    most = workspace[key]
    most.copy_(x.amax(-1, keepdim=True))
    e = torch.exp(x.float() - most)
    y.copy_(e / e.sum(-1, keepdim=True))
