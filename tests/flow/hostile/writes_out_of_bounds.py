# expect: wrong
import ctypes

import torch


def solve(a, b, out, n):
    torch.add(a, b, out=out)
    ctypes.memset(out.data_ptr() + out.numel() * out.element_size(), 0, 64)
