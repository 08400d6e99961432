"""Matrix multiplication: what the judge runs. Imported by the judge and by the baseline's worker only."""

import torch
from hypothesis import strategies as st

from kernelbot_core import Case


def inputs(cell, gen):
    """Uniform in [-1, 1): products of both signs and no outliers, so that elements near zero show lost accuracy.

    But for fp16, some rows of a and columns of b are 2**20 times as large, some 2**30 times as small: a kernel that
    multiplies fp32 as pairs of fp16, which hold no such numbers, is wrong in every call.
    """
    m, n, k = (cell.dims[name] for name in ("m", "n", "k"))

    def drawn(shape, scaled):
        values = torch.empty(shape, device=cell.device).uniform_(-1, 1, generator=gen)
        lot = torch.rand(scaled, device=cell.device, generator=gen)
        if cell.dtypes["T"] != torch.float16:
            values *= torch.ones_like(lot).masked_fill_(lot < 1 / 16, 2.0**20).masked_fill_(lot > 15 / 16, 2.0**-30)
        return values.to(cell.dtypes["T"])

    return drawn((m, k), (m, 1)), drawn((k, n), (1, n))


def reference(a, b):
    """The oracle, on fp64 copies."""
    return a @ b


def magnitude(a, b):
    """Scale of the accumulation error: the sum of the products' absolute values."""
    return a.abs() @ b.abs()


def baseline(a, b, c, m, n, k):
    """What is timed beside the submission; accumulates in fp32 for every dtype."""
    torch.matmul(a, b, out=c)


def shapes(cell):
    """Extents that are multiples of nothing, single rows and columns, k longer and shorter than any tile."""
    triples = [
        (1, 1, 1), (1, 1, 300), (1, 65, 7), (65, 1, 7), (2, 3, 5), (17, 33, 31), (33, 17, 65), (64, 64, 64),
        (63, 129, 40), (127, 65, 257),
    ]  # fmt: skip
    return st.sampled_from(triples).map(lambda t: Case(dict(zip("mnk", t, strict=True))))


def values(cell):
    """Inputs whose sums are known to go wrong when terms are lost, reordered carelessly or kept in too few bits.

    Of a measured size too: else a kernel that knows them could leave out what its inputs do not need.
    """
    fills = {
        "one large term, cancelled at the end of k": _cancel,
        "all products positive": _positive,
        "a is a permutation": _permutation,
        "a row of zeros and a column of zeros": _zeros,
        "an infinity in a": _infinity,
        "a NaN in b": _nan,
    }
    sizes = st.sampled_from([(5, 7, 9), (33, 17, 65), (64, 64, 130), (512, 512, 512)])
    return st.builds(
        lambda t, note: Case(dict(zip("mnk", t, strict=True)), fill=fills[note], note=note),
        sizes,
        st.sampled_from(sorted(fills)),
    )


def _cancel(a, b):
    a[:, 0], a[:, -1] = 64.0, -64.0
    b[0], b[-1] = 64.0, 64.0


def _positive(a, b):
    a.abs_()
    b.abs_()


def _permutation(a, b):
    a.zero_()
    rows = torch.arange(a.shape[0], device=a.device)
    a[rows, (rows * 7 + 3) % a.shape[1]] = 1


def _zeros(a, b):
    a[a.shape[0] // 2] = 0
    b[:, b.shape[1] // 2] = 0


def _infinity(a, b):
    a[-1, -1] = torch.inf


def _nan(a, b):
    b[0, -1] = torch.nan
