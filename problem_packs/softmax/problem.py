"""Row softmax: what the judge runs. Imported by the judge and by the baseline's worker, never by the controller."""

import torch
from hypothesis import strategies as st

from kernelbot_core import Case


def inputs(cell, gen):
    """Rows of 16 units' width anywhere from -1000 to 1000, one in 16 with a peak: no call goes well without a maximum.

    Half of them lie within 125 of zero, where fp16 is fine. As cheap as a uniform draw, and new for every call.
    """
    rows, cols = cell.dims["rows"], cell.dims["cols"]

    def uniform(width):
        return torch.rand((rows, width), generator=gen, device=cell.device)

    low = uniform(1).mul_(2).sub_(1).pow_(3).mul_(1000).sub_(8)
    peak = (uniform(1) < 1 / 16).float().mul_(300)
    place = (uniform(1) * cols).long().clamp_(max=cols - 1)
    return uniform(cols).mul_(16).add_(low).scatter_add_(1, place, peak).to(cell.dtypes["T"])


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

    Of the measured sizes too: else a kernel that knows them could leave the shift out. Where the largest is slow to
    check, one example of it has rows of every kind.
    """
    sizes = [(1, 1), (4, 1), (3, 7), (5, 33), (2, 1025), (1_024, 128)]
    wide = [(4_096, 4_096), (64, 1_048_576)] if cell.device != "cpu" else []
    each = [(size, note) for size in sizes + wide for note in sorted(FILLS)]
    return st.sampled_from(each if wide else [*each, ((4_096, 4_096), MIXED)]).map(_case)


def _case(chosen):
    (rows, cols), note = chosen
    return Case({"rows": rows, "cols": cols}, fill=FILLS[note], note=note)


def _level(x, level):
    x.sub_(x.amin(dim=-1, keepdim=True)).add_(level)


def _large(x):
    _level(x, 1000)


def _small(x):
    _level(x, -1000)


def _spread(x):
    _level(x, 0)
    x.div_(x.amax(dim=-1, keepdim=True).clamp_(min=1)).mul_(60000).sub_(30000)


def _equal(x):
    x.copy_(x[:, :1].clone().expand_as(x))


def _masked(x):
    x[:, 1::2] = -torch.inf


def _one_left(x):
    keep = x[-1, -1].clone()
    x[-1] = -torch.inf
    x[-1, -1] = keep


KINDS = {
    "every value is near 1000": _large,
    "every value is near -1000": _small,
    "values from -30000 to 30000": _spread,
    "all values of a row are equal": _equal,
    "every second value is -inf": _masked,
    "a row with one finite value": _one_left,
}
MIXED = "rows of every kind"


def _mixed(x):
    for number, fill in enumerate(KINDS.values()):
        if number < x.shape[0]:
            fill(x[number :: len(KINDS)])


FILLS = {**KINDS, MIXED: _mixed}
