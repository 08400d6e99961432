#!kernelbot language torch
import torch


def solve(x, rows, cols):
    return torch.softmax(x.float(), dim=-1).to(x.dtype)
