"""How far the judge's clock supports the times that a submission's process reports. Times in seconds.

T is the judge's (from the gate to its own copy of the outputs), E the worker's events. For each call D = T - E: what
lies around the kernel (a switch of contexts, the copy, the wake-up of the judge), the same for everybody. E of a worker
that understates its time makes its D too long by what it hides. With S the submission and R the baseline::

    excess = location(D_S) - c_R - credit
    tol    = 3 sqrt(SE(D_S)^2 + SE(c_R)^2 + SE(credit)^2 + s_T^2 / k)

The *location* is the median, and in a second test the mean. c_R is the smaller of location(D_R, clean) and
location(D_R, interleaved): clean calls are made before any code of the submission is loaded, so that S can raise the
interleaved figure only. With k processes the location is the mean over them, and s_T, which differs from process to
process, counts as s_T / sqrt(k). The published time is then the geometric mean of their medians, which one process
could draw far down with a tiny claim: by how much it lies below their arithmetic mean is added to the excess.

SE of a median: 1.2533 sigma / sqrt(n) for normal samples (Kenney and Keeping, Mathematics of Statistics, part 2), with
sigma = 1.4826 MAD, which a few late wake-ups of the host do not move (Rousseeuw and Croux 1993). SE of a mean:
s / sqrt(n).
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from kernelbot_core.model.report import Attestation

DEFAULT_S_T = 1.4e-6
"""Standard deviation over 28 sessions of seven honest kernels on an H200."""
HOST_SYNC_TOL = 1e-3
"""A call that synchronises inside holds latencies of the host, which its events partly leave out."""
SIGMAS = 3.0
MAD_TO_SIGMA = 1.4826
MEDIAN_SE = 1.2533


@dataclass(frozen=True)
class Estimate:
    """A location and its standard error, seconds."""

    value: float
    error: float

    def __sub__(self, other: Estimate) -> Estimate:
        return Estimate(self.value - other.value, math.hypot(self.error, other.error))


def by_median(samples: Sequence[float]) -> Estimate:
    """Median and its standard error, from the median absolute deviation."""
    middle = statistics.median(samples)
    deviation = statistics.median(abs(sample - middle) for sample in samples)
    return Estimate(middle, MEDIAN_SE * MAD_TO_SIGMA * deviation / math.sqrt(len(samples)))


def by_mean(samples: Sequence[float]) -> Estimate:
    """Mean and its standard error; a single sample has an infinite one."""
    spread = statistics.stdev(samples) if len(samples) > 1 else math.inf
    return Estimate(statistics.fmean(samples), spread / math.sqrt(len(samples)))


def mean_of(estimates: Sequence[Estimate]) -> Estimate:
    """Mean of independent estimates."""
    count = len(estimates)
    return Estimate(
        math.fsum(e.value for e in estimates) / count, math.sqrt(math.fsum(e.error**2 for e in estimates)) / count
    )


ZERO = Estimate(0.0, 0.0)
LOCATIONS = (by_median, by_mean)


@dataclass(frozen=True)
class Pair:
    """D of one process: the submission's calls, and the baseline's between them."""

    ours: Sequence[float]
    theirs: Sequence[float]
    median: float
    """Median E of the submission's calls."""


@dataclass(frozen=True)
class Evidence:
    """Everything that one cell's attestation rests on."""

    pairs: Sequence[Pair]
    """One for each process that measured."""
    clean: Sequence[float]
    """D of the baseline before any code of the submission was loaded."""
    nulls: Sequence[float]
    """T of calls of nothing; c0 is their median."""
    s_T: float | None = None  # noqa: N815 - the symbol of the formulas
    source: str = "default"
    copies: Sequence[float] = ()
    """D of calls that copy outputs as returned ones are copied; empty when nothing is returned."""
    copy_nulls: Sequence[float] = ()
    """D of calls of nothing, next to ``copies``."""
    host_sync: bool = False
    """Most calls synchronise inside."""


def credit_of(evidence: Evidence) -> Estimate:
    """Cost of copying returned outputs: calls that copy against calls of nothing, both by the baseline's worker."""
    if not evidence.copies or not evidence.copy_nulls:
        return ZERO
    credit = by_median(evidence.copies) - by_median(evidence.copy_nulls)
    return credit if credit.value > 0 else ZERO


def attest(claimed: float, evidence: Evidence, *, repeated: bool = False) -> Attestation:
    """Hold the claimed time of a cell against the judge's clock.

    :param claimed: E that would be published, seconds.
    """
    s_T = DEFAULT_S_T if evidence.s_T is None else evidence.s_T  # noqa: N806 - the symbol of the formulas
    credit = credit_of(evidence)
    shift = statistics.fmean(pair.median for pair in evidence.pairs) - claimed
    found = []
    for location in LOCATIONS:
        clean = location(evidence.clean)
        between = [location(pair.theirs) for pair in evidence.pairs]
        harness = [min(clean, one, key=lambda estimate: estimate.value) for one in between]
        ours = mean_of([location(pair.ours) for pair in evidence.pairs])
        # The clean figure is one and the same for all processes: its error does not shrink with their number.
        error = max(estimate.error for estimate in harness)
        common = Estimate(mean_of(harness).value, error)
        excess = ours - common - credit
        tol = SIGMAS * math.hypot(excess.error, s_T / math.sqrt(len(evidence.pairs)))
        found.append((excess.value + shift, max(tol, HOST_SYNC_TOL) if evidence.host_sync else tol, common.value))
    (excess_median, tol_median, common_median), (excess_mean, tol_mean, _) = found
    return Attestation(
        excess=excess_median, tol=tol_median, excess_mean=excess_mean, tol_mean=tol_mean,
        ok=excess_median <= tol_median and excess_mean <= tol_mean, s_T=s_T,
        source=evidence.source, bound=claimed + excess_median,
        attested_to=(tol_median + credit.value) / claimed, harness=common_median,
        harness_clean=by_median(evidence.clean).value,
        c0=statistics.median(evidence.nulls) if evidence.nulls else None, credit=credit.value,
        host_sync=evidence.host_sync, repeated=repeated,
    )  # fmt: skip


def refusal(claimed: float, found: Attestation) -> str:
    """Why a cell is not attested, with both numbers."""
    excess, tol, what = found.excess, found.tol, "half of its calls or more"
    if excess <= tol:
        excess, tol, what = found.excess_mean, found.tol_mean, "some of its calls"
    return (
        f"its process claims {claimed * 1e6:.2f} us, the judge's clock says {excess * 1e6:.2f} us more in {what}; "
        f"{tol * 1e6:.2f} us can be noise (measured twice, in new processes)"
    )
