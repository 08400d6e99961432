#!kernelbot language torch
import torch


def solve(x, y, rows, cols):
    torch.softmax(x, dim=-1, out=y)
