"""Vector addition: what the judge runs. Imported by the judge and by the baseline's worker, never by the controller."""

import torch
from hypothesis import strategies as st

from kernelbot_core import Case


def inputs(cell, gen):
    """Two vectors, normal with deviation 2: one pass to draw, and no sum is predictable.

    Uniform numbers would all be multiples of one power of two, and their fp32 sums exact; these have to be rounded.
    """
    return tuple(
        torch.empty(cell.dims["n"], device=cell.device).normal_(0, 2, generator=gen).to(cell.dtypes["T"]) for _ in "ab"
    )


def reference(a, b):
    """The oracle, on fp64 copies."""
    return a + b


def magnitude(a, b):
    """Scale of the tolerance: cancellation in a sum is no error of the kernel."""
    return a.abs() + b.abs()


def baseline(a, b, out, n):
    """What is timed beside the submission."""
    torch.add(a, b, out=out)


def shapes(cell):
    """Lengths that are no multiple of anything."""
    return st.sampled_from([1, 2, 3, 31, 33, 127, 1023, 1025, 4099, 65537]).map(lambda n: Case({"n": n}))


def specials(cell):
    """One element of either vector that rounding, flushing to zero or a shortcut would spoil, at measured sizes too."""
    values = st.sampled_from([0.0, -0.0, 1e-30, -1e30, float("inf"), float("-inf"), float("nan")])
    sizes = st.sampled_from([1, 5, 1025, 1024, 1_000_003, 1_048_576])
    return st.builds(_plant, sizes, st.sampled_from("ab"), st.integers(0, 1 << 20), values)


def _plant(n, which, at, value):
    def fill(a, b):
        (a if which == "a" else b)[at % n] = value

    return Case({"n": n}, fill=fill, note=f"{which}[{at % n}] = {value}")
