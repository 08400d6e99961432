#!kernelbot language torch
"""The baseline as a submission: whatever the judge's clock says beyond its time is the clock's own error."""

from typing import Any


def solve(a: Any, out: Any, n: int, cycles: int) -> None:  # noqa: ARG001 - the signature has the length
    """Two launches: a spin (nothing on a processor), and the addition."""
    import torch

    if out.is_cuda:
        torch.cuda._sleep(cycles)
    torch.add(a, 1, out=out)
