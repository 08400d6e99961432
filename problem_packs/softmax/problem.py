"""Row softmax: what the judge runs. Imported by the judge and by the baseline's worker, never by the controller."""

import torch
from hypothesis import strategies as st

from kernelbot_core import Case


def inputs(cell, gen):
    """Uniform in [-8, 8): cheap to draw anew for every call, and the largest of a row decides its sum."""
    shape = (cell.dims["rows"], cell.dims["cols"])
    return torch.rand(shape, generator=gen, device=cell.device).mul_(16).sub_(8).to(cell.dtypes["T"])


def reference(x):
    """The oracle, on fp64 copies."""
    return torch.softmax(x, dim=-1)


def baseline(x, y, rows, cols):
    """What is timed beside the submission."""
    torch.softmax(x, dim=-1, out=y)


def shapes(cell):
    """Single rows, single columns, and rows that are no multiple of anything."""
    pairs = [(1, 1), (5, 1), (1, 2), (3, 5), (1, 31), (33, 33), (7, 127), (2, 1025), (129, 65), (1, 4099)]
    return st.sampled_from(pairs).map(lambda pair: Case({"rows": pair[0], "cols": pair[1]}))


def extremes(cell):
    """Rows that overflow without the shift by the maximum, or whose result the definition fixes exactly.

    Of the measured sizes too, as far as they are cheap here: else a kernel that knows them could leave the shift out.
    """
    fills = {
        "every value is near 1000": _large,
        "every value is near -1000": _small,
        "values from -30000 to 30000": _spread,
        "all values of a row are equal": _equal,
        "every second value is -inf": _masked,
        "a row with one finite value": _one_left,
    }
    measured = [(1_024, 128)] if cell.device == "cpu" else [(1_024, 128), (4_096, 4_096), (64, 1_048_576)]
    sizes = st.sampled_from([(1, 1), (4, 1), (3, 7), (5, 33), (2, 1025), *measured])
    return st.builds(
        lambda size, note: Case({"rows": size[0], "cols": size[1]}, fill=fills[note], note=note),
        sizes,
        st.sampled_from(sorted(fills)),
    )


def _large(x):
    x.add_(1000)


def _small(x):
    x.sub_(1000)


def _spread(x):
    x.mul_(3750)


def _equal(x):
    x.copy_(x[:, :1].clone().expand_as(x))


def _masked(x):
    x[:, 1::2] = -torch.inf


def _one_left(x):
    keep = x[-1, -1].clone()
    x[-1] = -torch.inf
    x[-1, -1] = keep
