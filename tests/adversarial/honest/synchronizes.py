# tries: waits for the device inside the call
# problems: vector_add
# expect: passed
# device: gpu
# credit: synchronises inside the call
import torch


def solve(a, b, out, n):
    torch.add(a, b, out=out)
    torch.cuda.synchronize()
