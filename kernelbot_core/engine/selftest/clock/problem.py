"""What the selftest judges: the baseline, and beside it the same code as a submission."""

from typing import Any


def inputs(cell: Any, gen: Any) -> Any:
    """One vector."""
    import torch

    return torch.rand(cell.dims["n"], generator=gen, device=cell.device).to(cell.dtypes["T"])


def reference(a: Any) -> Any:
    """The oracle, on fp64 copies."""
    return a + 1


def baseline(a: Any, out: Any, n: int, cycles: int) -> None:  # noqa: ARG001 - the signature has the length
    """Two launches: a spin (nothing on a processor), and the addition."""
    import torch

    if out.is_cuda:
        torch.cuda._sleep(cycles)
    torch.add(a, 1, out=out)
