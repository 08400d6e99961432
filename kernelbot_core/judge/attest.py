"""How far the judge's clock supports the times that a submission's process reports. Times in seconds.

T is the judge's (from the gate to its own copy of the outputs), E the worker's events. For each call D = T - E: what
lies around the kernel (switches of contexts, the copy), the same for everybody. E of a worker that understates its time
makes its D too long by what it hides. With S the submission and C a trusted call beside each of its calls, pair i being
two neighbours in time::

    excess = location(D_S,i - D_C,i)
    tol    = max(3 sqrt(SE^2 + s_T^2 / k + s_R^2), 0.002 E)

C is a trusted call that lasts about as long as S: the baseline, or a control that does nothing for that time and then
writes the outputs, in the baseline's process. D grows with the length of a call. The *location* is the median, and in a
second test the mean. The difference is taken within pairs because D may wander over seconds, with the card. By how much
D of two processes differs without any code of the submission is taken off (levels.py).

With several processes each is looked at alone first. One that is not supported is left out, of the published time too;
most must be. For the k that remain the excess is the mean over them, and s_T, which differs from process to process,
counts as s_T / sqrt(k). The published time is the geometric mean of their medians: by how much it lies below their
arithmetic mean is added to the excess.

S could hide a lie by making D of the trusted calls longer. So the baseline's is held against calls that were made
before any code of the submission was loaded: by how much it has risen is added to the excess, and s_R, which is how
much it rises by itself, to the tolerance. So is what the judge's work before the submission's own calls takes longer:
whoever computes then has begun before the gate.

Where quiet calls were made (quiet.py), what they say has to lie within the tolerance too.

A call that synchronises inside has no gate to be held by, and E is worth nothing: the judge's clock is what counts.
"""

from __future__ import annotations

import dataclasses
import math
import statistics
from collections.abc import Sequence
from typing import NamedTuple

from kernelbot_core.judge.estimate import SIGMAS, Estimate, by_mean, by_median, mean_of, no_wider
from kernelbot_core.judge.evidence import Evidence, Pair
from kernelbot_core.judge.levels import S_T_OPEN
from kernelbot_core.judge.quiet import QUIET_BELOW, WIDER, bias, hidden
from kernelbot_core.model.report import Attestation

DEFAULT_S_T = 0.5e-6
"""Root mean square of the excess of known kernels: 0.42 to 0.50 us over 180 cells on several H200."""
S_R = 0.0008
"""s_R as a share of the clean D: on an H200 medians of the baseline rose by 0.25 us (root mean square) at 300 us
between the clean calls and those of the block."""
S_R_COPY, AROUND = 0.0033, 0.5e-3
"""The same for what a D of more than AROUND seconds is made of, which is the copy of large outputs: it rose or fell by
4.2 us (root mean square) in 14 cells whose D was 1.3 to 2.3 ms, 0.33 % of what is beyond AROUND."""
BUSY = (10e-6, 0.2)
"""Seconds and share by which the median of reveal and flush may be longer than in clean calls; a slow host stretches
some of them."""
GROSS = 4
"""Tolerances beyond which a cell is refused. Between one and four the judge's own time stands for the claimed one."""
OVERLAP = 7.5e-6
"""Seconds that work on a stream of its own may run on after the end of a timed call without showing, for it overlaps
with what ends a call: up to 4 us on an H200, and up to 7.2 where the process leaves out its events and raises its flag
beside the work (benchmarks/late.py)."""
OVERLAP_QUIET = 0.9e-6
"""The same of quiet calls, which are made that way for everybody: up to 0.9 us in 140 cases, noise included."""
FLOOR = 0.002
"""Share of the time below which nothing is held against anybody: a fifth of what shares a place."""
LOCATIONS = (by_median, by_mean)


def known_s_T(measured: float | None, *, levelled: bool = True) -> float:
    """s_T of the host, seconds: what its selftest measured, or the default.

    :param levelled: Whether what a process shows by itself has been taken off.
    """
    found = DEFAULT_S_T if measured is None else measured
    return found if levelled else max(found, S_T_OPEN)


def rise_by_itself(clean: Sequence[float]) -> float:
    """s_R, seconds: by how much the baseline's D rises without anybody's doing.

    :param clean: D of its clean calls.
    """
    around = statistics.median(clean)
    return max(S_R * around, S_R_COPY * (around - AROUND))


def left_open(tol: float, tol_quiet: float | None, median: float) -> float:
    """Share of a published time that could be hidden: what passes has to pass in quiet calls too, where there are any.

    :param tol: Tolerance of timed calls; ``tol_quiet``: of quiet ones.
    """
    timed = tol + OVERLAP
    return (timed if tol_quiet is None else min(timed, tol_quiet + OVERLAP_QUIET)) / median


def raised(pair: Pair, evidence: Evidence) -> float:
    """What is held against the submission besides its own D, else 0.

    By how much the baseline's D lies above the clean one; and by how much reveal and flush take longer before the
    submission's calls: half of those are enough to move the time that ranks.
    """
    rise = statistics.median(pair.baseline or pair.theirs) - statistics.median(evidence.clean)
    return max(rise, 0.0) + _longer(pair.before, evidence.reveals)


def _longer(reveals: Sequence[float], clean: Sequence[float]) -> float:
    """By how much reveal and flush take longer than in clean calls, where that is no accident; else 0."""
    if not reveals or not clean:
        return 0.0
    usual = statistics.median(clean)
    rise = statistics.median(reveals) - usual
    return rise if rise > max(BUSY[0], BUSY[1] * usual) else 0.0


def attest(claimed: float, evidence: Evidence, *, repeated: bool = False) -> Attestation:
    """Hold the claimed time of a cell against the judge's clock.

    :param claimed: The time that would be published, seconds.
    """
    s_T = known_s_T(evidence.s_T)
    shift = statistics.fmean(pair.median for pair in evidence.pairs) - claimed
    s_R = rise_by_itself(evidence.clean)
    meddled = statistics.fmean(raised(pair, evidence) for pair in evidence.pairs)
    found = []
    for location in LOCATIONS:
        each = [location([s - c for s, c in zip(p.ours, p.theirs, strict=True)]) for p in evidence.pairs]
        if location is by_median:
            counts = [len(pair.ours) for pair in evidence.pairs]
            each = [no_wider(one, n, evidence.clean) for one, n in zip(each, counts, strict=True)]
        each = [one.less(p.level.timed) if p.level else one for one, p in zip(each, evidence.pairs, strict=True)]
        apart = mean_of(each)
        noise = SIGMAS * math.hypot(apart.error, s_T / math.sqrt(len(evidence.pairs)), s_R)
        tol = max(noise, FLOOR * claimed)
        found.append((0.0 if evidence.host_sync else apart.value + meddled + shift, tol))
    (excess, tol), (excess_mean, tol_mean) = found
    torn = any(pair.quiet is not None and pair.quiet.torn for pair in evidence.pairs) and claimed < QUIET_BELOW
    quiet = None if torn else _quiet(claimed, shift, evidence)
    return Attestation(
        excess=excess, tol=tol, excess_mean=excess_mean, tol_mean=tol_mean,
        level=_mean([p.level.timed for p in evidence.pairs if p.level]),
        level_quiet=_mean([p.level.quiet for p in evidence.pairs if p.level and p.level.quiet]),
        excess_quiet=quiet and quiet.excess, tol_quiet=quiet and quiet.tol,
        ok=excess <= tol and excess_mean <= tol_mean and (evidence.host_sync if torn else quiet is None or quiet.ok),
        s_T=s_T, source=evidence.source, bound=claimed + excess,
        attested_to=left_open(tol, quiet and quiet.tol, claimed),
        harness=statistics.fmean(statistics.median(p.baseline or p.theirs) for p in evidence.pairs),
        harness_clean=statistics.median(evidence.clean),
        reveal_clean=statistics.median(evidence.reveals) if evidence.reveals else None, meddled=meddled,
        c0=statistics.median(evidence.nulls) if evidence.nulls else None,
        host_sync=evidence.host_sync, repeated=repeated,
    )  # fmt: skip


def _mean(estimates: Sequence[Estimate]) -> float | None:
    return statistics.fmean(one.value for one in estimates) if estimates else None


class _Found(NamedTuple):
    excess: float
    tol: float

    @property
    def ok(self) -> bool:
        return self.excess <= self.tol


def _quiet(claimed: float, shift: float, evidence: Evidence) -> _Found | None:
    """Excess and tolerance by quiet calls; None where there are none, or where they do not matter."""
    given, clean = [pair.quiet for pair in evidence.pairs if pair.quiet is not None], evidence.quiet
    if clean is None or claimed >= QUIET_BELOW:
        return None
    if len(given) < len(evidence.pairs):
        raise ValueError("clean calls were quiet too, and those of a process were not")
    levels = [pair.level.quiet if pair.level is not None else None for pair in evidence.pairs]
    each = [hidden(one, clean) for one in given]
    found = mean_of([one.less(level) if level else one for one, level in zip(each, levels, strict=True)])
    busy = statistics.fmean(_longer(one.before, evidence.reveals) for one in given)
    s_R = rise_by_itself(evidence.clean)
    s_quiet = WIDER * known_s_T(evidence.s_T)
    noise = SIGMAS * math.hypot(found.error, s_quiet / math.sqrt(len(given)), s_R)
    least = max(FLOOR * claimed, bias(claimed, alike=evidence.alike))
    return _Found(0.0 if evidence.host_sync else found.value + busy + shift, max(noise, least))


def supported(pair: Pair, evidence: Evidence) -> bool:
    """Whether the times of one process pass by themselves."""
    return attest(pair.median, dataclasses.replace(evidence, pairs=[pair])).ok


def gross(found: Attestation) -> bool:
    """Whether the claimed time is so far off that it is no accident of host or card."""
    return any(excess > GROSS * tol for excess, tol, _ in _tests(found))


def _tests(found: Attestation) -> list[tuple[float, float, str]]:
    """Excess, tolerance, and in which calls."""
    tests = [
        (found.excess, found.tol, "half of its calls or more"), (found.excess_mean, found.tol_mean, "some of its calls")
    ]  # fmt: skip
    if found.excess_quiet is not None and found.tol_quiet is not None:
        tests.append((found.excess_quiet, found.tol_quiet, "calls that it does not time itself"))
    return tests


def refusal(claimed: float, found: Attestation) -> str:
    """Why a cell is not attested, with both numbers."""
    excess, tol, what = max(_tests(found), key=lambda one: one[0] / one[1])
    return (
        f"its process claims {claimed * 1e6:.2f} us, the judge's clock says {excess * 1e6:.2f} us more in {what}; "
        f"{tol * 1e6:.2f} us can be noise (measured twice, in new processes)"
    )
