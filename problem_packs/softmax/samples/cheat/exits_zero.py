#!kernelbot language torch
# expect: crashed
"""Leaves with code 0 in the middle of a call."""

import os


def solve(x, y, rows, cols):
    os._exit(0)
