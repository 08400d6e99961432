# tries: one kernel for short rows and another one for long rows
# problems: softmax
# expect: passed
# ci: no
# credit: several kernels, whose launches the plain loop hides less well
import torch


def short(x, y):
    torch.softmax(x, -1, out=y)


def long(x, y):
    shifted = (x - x.amax(-1, keepdim=True)).float().exp_()
    y.copy_(shifted / shifted.sum(-1, keepdim=True))


def solve(x, y, rows, cols):
    (short if cols <= 1024 else long)(x, y)
