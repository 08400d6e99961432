#!kernelbot language torch
# expect: wrong
import torch


def solve(x, y, rows, cols):
    y[:, :-1] = torch.softmax(x, dim=-1)[:, :-1]
