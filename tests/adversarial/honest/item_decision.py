# tries: a decision on the host that needs a value from the device
# problems: softmax
# expect: passed
# credit: synchronises inside the call
import torch


def solve(x, y, rows, cols):
    if x[0, 0].item() > 0:
        torch.softmax(x, -1, out=y)
    else:
        torch.softmax(x, dim=-1, out=y)
