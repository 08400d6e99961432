"""Work that runs on after the end of a call, on simulated sessions with quiet calls. Times in us, seconds outside."""

from __future__ import annotations

import random
from statistics import median
from typing import NamedTuple

import pytest

from kernelbot_core.judge.attest import Evidence, Pair, attest, gross, refusal
from kernelbot_core.judge.quiet import CleanQuiet, Quiet

US = 1e-6
AROUND, ENDS = 296.0, 2.5
"""What lies around a call, and what ends a timed one."""
N = 50


class Calls(NamedTuple):
    """E and T of timed calls, T of quiet ones."""

    E: list[float]
    T: list[float]
    quiet: list[float]

    @property
    def D(self):
        return [t - e for t, e in zip(self.T, self.E, strict=True)]


class Host:
    """Draws T and E of timed and of quiet calls; sigma 0.5 us around a call, 0.3 us of the kernel itself."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def calls(self, kernel, *, claim=None, longer=0.0):
        """One side.

        :param kernel: Seconds of work until the device is idle, us.
        :param claim: What its events show; the work and what the events cost themselves when left out.
        """
        noise = self.random.gauss
        claims = [(claim or kernel + ENDS) + noise(0, 0.3) for _ in range(N)]
        timed = [AROUND + kernel + (ENDS if claim is None else 0.0) + noise(0, 0.5) for _ in range(N)]
        quiet = [AROUND + kernel + longer + noise(0, 0.5) for _ in range(N)]
        return Calls(*([one * US for one in some] for some in (claims, timed, quiet)))

    def evidence(self, kernel, *, claim=None, longer=0.0):
        """One process; ``longer`` is by how much the baseline's quiet calls are slowed down."""
        ours, theirs, clean = self.calls(kernel, claim=claim), self.calls(kernel, longer=longer), self.calls(kernel)
        quiet = Quiet(ours.quiet, theirs.quiet, ours.E, theirs.E)
        pair = Pair(ours.D, theirs.D, median(ours.E), quiet=quiet)
        before = CleanQuiet(clean.quiet, clean.E)
        return Evidence([pair], clean.D, [], quiet=before, s_T=0.6 * US), median(ours.E)


@pytest.mark.parametrize("kernel", [3, 50, 200])
def test_honest_kernels_pass(kernel):
    for seed in range(100):
        evidence, claimed = Host(seed).evidence(kernel)
        found = attest(claimed, evidence)
        assert found.ok, (seed, found)
        assert found.tol_quiet < 2.5 * US


def test_work_that_overlaps_with_the_end_of_a_call_shows_in_quiet_calls_only():
    """4 us of work on a stream of its own: the events see 2.7 us, and the judge's clock 2.5 us less than of honest."""
    evidence, claimed = Host(1).evidence(4.0, claim=2.7)
    found = attest(claimed, evidence)
    assert found.excess <= found.tol
    assert found.excess_quiet == pytest.approx(3.8 * US, abs=0.5 * US)
    assert not found.ok
    assert not gross(found)
    assert "calls that it does not time itself" in refusal(claimed, found)


def test_slowing_down_the_quiet_calls_of_the_baseline_hides_nothing():
    evidence, claimed = Host(2).evidence(4.0, claim=2.7, longer=4.0)
    found = attest(claimed, evidence)
    assert found.excess_quiet == pytest.approx(3.8 * US, abs=0.6 * US)
    assert not found.ok


def test_claims_that_swing_do_not_widen_what_passes():
    host = Host(3)
    evidence, claimed = host.evidence(20.0, claim=15.0)
    swinging = [one + 12 * US * (number % 2 - 0.5) for number, one in enumerate(evidence.pairs[0].quiet.claims)]
    before = evidence.pairs[0]
    pair = Pair(before.ours, before.theirs, before.median, quiet=Quiet(before.quiet.ours, before.quiet.theirs, swinging,
                                                                       before.quiet.baseline))  # fmt: skip
    found = attest(claimed, Evidence([pair], evidence.clean, [], quiet=evidence.quiet, s_T=0.6 * US))
    assert found.tol_quiet < 2.5 * US
    assert not found.ok


def test_without_quiet_calls_nothing_is_said_about_them():
    evidence, claimed = Host(4).evidence(20.0)
    pair = Pair(evidence.pairs[0].ours, evidence.pairs[0].theirs, claimed)
    found = attest(claimed, Evidence([pair], evidence.clean, []))
    assert found.excess_quiet is None
    assert found.tol_quiet is None
