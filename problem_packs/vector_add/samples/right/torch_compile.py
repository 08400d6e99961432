#!kernelbot language torch
import torch


@torch.compile(dynamic=True)
def add(a, b):
    return a + b


def solve(a, b, n):
    return add(a, b)
