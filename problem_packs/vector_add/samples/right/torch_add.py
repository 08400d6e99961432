#!kernelbot language torch
import torch


def solve(a, b, out, n):
    torch.add(a, b, out=out)
