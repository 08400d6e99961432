"""Work that runs on after the end of a call, on simulated sessions with quiet calls. Times in us, seconds outside."""

from __future__ import annotations

import dataclasses
import random
from statistics import median
from typing import NamedTuple

import pytest

from kernelbot_core.judge.attest import DEFAULT_S_T, attest, gross, refusal
from kernelbot_core.judge.estimate import Estimate
from kernelbot_core.judge.evidence import Evidence, Pair
from kernelbot_core.judge.instances import processes_for
from kernelbot_core.judge.levels import Level
from kernelbot_core.judge.quiet import BIAS, CleanQuiet, Quiet

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

    def calls(self, kernel, *, claim=None, longer=0.0, scatter=0.3):
        """One side.

        :param kernel: Seconds of work until the device is idle, us.
        :param claim: What its events show; the work and what the events cost themselves when left out.
        """
        noise = self.random.gauss
        work = [kernel + noise(0, scatter) for _ in range(2 * N)]
        claims = [claim + noise(0, 0.3) if claim else one + ENDS for one in work[:N]]
        timed = [AROUND + one + (0.0 if claim else ENDS) + noise(0, 0.5) for one in work[:N]]
        quiet = [AROUND + one + longer + noise(0, 0.5) for one in work[N:]]
        return Calls(*([one * US for one in some] for some in (claims, timed, quiet)))

    def evidence(self, kernel, *, claim=None, longer=0.0, scatter=0.3):
        """One process; ``longer`` is by how much the baseline's quiet calls are slowed down."""
        ours, theirs = self.calls(kernel, claim=claim, scatter=scatter), self.calls(kernel, longer=longer)
        clean = self.calls(kernel)
        quiet = Quiet(ours.quiet, theirs.quiet, ours.E, theirs.E)
        pair = Pair(ours.D, theirs.D, median(ours.E), quiet=quiet)
        before = CleanQuiet(clean.quiet, clean.E)
        return Evidence([pair], clean.D, [], quiet=before, s_T=0.6 * US), median(ours.E)


@pytest.mark.parametrize(("kernel", "scatter"), [(3, 0.1), (50, 0.3), (50, 1.0), (300, 3.0), (500, 10.0)])
def test_honest_kernels_pass(kernel, scatter):
    refused = 0
    for seed in range(300):
        evidence, claimed = Host(seed).evidence(kernel, scatter=scatter)
        found = attest(claimed, evidence)
        refused += found.excess_quiet > found.tol_quiet
        assert found.tol_quiet < max(3.0, 2.5 * scatter) * US
    assert refused <= 1


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
    quiet = dataclasses.replace(evidence.pairs[0].quiet, claims=swinging)
    pair = dataclasses.replace(evidence.pairs[0], quiet=quiet)
    found = attest(claimed, Evidence([pair], evidence.clean, [], quiet=evidence.quiet, s_T=0.6 * US))
    assert found.tol_quiet < 3 * US
    assert not found.ok


def test_quiet_calls_that_say_nothing_support_nothing():
    """Of 50 calls 20 had copies that did not hold everything, of the submission or of the baseline."""
    for whose in ("ours", "theirs"):
        evidence, claimed = Host(9).evidence(20.0)
        quiet = evidence.pairs[0].quiet
        torn = dataclasses.replace(quiet, made=N, **{whose: getattr(quiet, whose)[:30]})
        pair = dataclasses.replace(evidence.pairs[0], quiet=torn)
        found = attest(claimed, dataclasses.replace(evidence, pairs=[pair]))
        assert not found.ok
        assert not gross(found), "it is published, with the judge's own time"
        assert found.excess_quiet is None
        assert attest(claimed, dataclasses.replace(evidence, pairs=[pair], host_sync=True)).ok, (
            "its time is the judge's"
        )


def test_what_a_process_shows_before_it_has_loaded_anything_is_taken_off():
    evidence, claimed = Host(10).evidence(50.0)
    pair = evidence.pairs[0]
    other = dataclasses.replace(
        pair, ours=[d + 3 * US for d in pair.ours],
        quiet=dataclasses.replace(pair.quiet, ours=[t + 2 * US for t in pair.quiet.ours]),
    )  # fmt: skip
    assert not attest(claimed, dataclasses.replace(evidence, pairs=[other])).ok
    level = Level(Estimate(3 * US, 0.1 * US), Estimate(2 * US, 0.1 * US))
    found = attest(claimed, dataclasses.replace(evidence, pairs=[dataclasses.replace(other, level=level)]))
    usual = attest(claimed, evidence)
    assert found.ok
    assert (found.level, found.level_quiet) == (3 * US, 2 * US)
    assert found.excess == pytest.approx(usual.excess, abs=1e-12)
    assert found.excess_quiet == pytest.approx(usual.excess_quiet, abs=1e-12)


@pytest.mark.parametrize(("kernel", "left"), [(50, 0.05), (300, 0.01)])
def test_what_is_left_open_of_a_ranked_time(kernel, left):
    """Noise and s_T as on an H200, as many processes as a ranked run has."""
    for seed in range(20):
        host = Host(seed)
        parts = [host.evidence(kernel)[0] for _ in range(processes_for(kernel * US, 0))]
        pairs = [part.pairs[0] for part in parts]
        evidence = dataclasses.replace(parts[0], pairs=pairs, s_T=DEFAULT_S_T)
        claimed = median(pair.median for pair in pairs)
        assert attest(claimed, evidence).attested_to <= left


@pytest.mark.parametrize(
    ("claimed", "alike", "least"),
    [(6, True, True), (21, True, False), (99, True, False), (101, True, True), (50, False, True)],
)
def test_a_little_that_honest_kernels_show_is_held_against_nobody(claimed, alike, least):
    """2.05 us is the most that one has shown; many processes do not make it less."""
    evidence, _ = Host(11).evidence(4.0)
    found = attest(claimed * US, dataclasses.replace(evidence, pairs=evidence.pairs * 400, alike=alike))
    assert (found.tol_quiet == BIAS) == least
    assert found.tol_quiet <= BIAS


def test_without_quiet_calls_nothing_is_said_about_them():
    evidence, claimed = Host(4).evidence(20.0)
    pair = Pair(evidence.pairs[0].ours, evidence.pairs[0].theirs, claimed)
    found = attest(claimed, Evidence([pair], evidence.clean, []))
    assert found.excess_quiet is None
    assert found.tol_quiet is None


@pytest.mark.parametrize("whose", ["ours", "theirs"])
def test_calls_that_are_made_longer_now_and_then_do_not_widen_what_passes(whose):
    evidence, claimed = Host(5).evidence(20.0, claim=15.0)
    quiet = evidence.pairs[0].quiet
    longer = [t + (30 * US if number % 5 < 2 else 0.0) for number, t in enumerate(getattr(quiet, whose))]
    pair = dataclasses.replace(evidence.pairs[0], quiet=dataclasses.replace(quiet, **{whose: longer}))
    found = attest(claimed, dataclasses.replace(evidence, pairs=[pair]))
    assert found.tol_quiet < 3 * US
    assert found.excess_quiet > found.tol_quiet


@pytest.mark.parametrize("calls", [6, 20, 40, N])
@pytest.mark.parametrize("whose", ["ours", "theirs", "baseline"])
def test_half_of_the_calls_made_longer_let_nothing_more_pass(whose, calls):
    """As far as the tolerance grows, the excess does; claims that swing as much change nothing."""

    def room(longer):
        evidence, claimed = Host(12).evidence(300.0)
        parts = {name: list(getattr(evidence.pairs[0].quiet, name))[:calls] for name in ("ours", "theirs", "baseline")}
        parts[whose] = [t + longer * US * (number % 2) for number, t in enumerate(parts[whose])]
        claims = [claimed + longer * US * (number % 2 - 0.5) for number in range(calls)]
        quiet = Quiet(**parts, claims=claims)
        pair = dataclasses.replace(evidence.pairs[0], quiet=quiet)
        found = attest(claimed, dataclasses.replace(evidence, pairs=[pair]))
        return found.tol_quiet - found.excess_quiet

    assert room(50.0) < room(0.0) + 0.5 * US


def test_who_computes_before_the_gate_of_quiet_calls_is_seen():
    evidence, claimed = Host(6).evidence(20.0)
    pair = evidence.pairs[0]
    busy = dataclasses.replace(pair, quiet=dataclasses.replace(pair.quiet, before=[150 * US] * N))
    evidence = dataclasses.replace(evidence, pairs=[busy], reveals=[90 * US] * 24)
    assert attest(claimed, evidence).excess_quiet > 50 * US


def test_quiet_calls_do_not_count_where_a_few_microseconds_do_not_matter_nor_where_the_gate_holds_nothing():
    evidence, _ = Host(7).evidence(20.0, claim=15.0)
    assert attest(2e-3, evidence).excess_quiet is None
    assert attest(15 * US, dataclasses.replace(evidence, host_sync=True)).excess_quiet == 0


def test_the_reason_names_the_calls_that_say_most():
    evidence, claimed = Host(8).evidence(24.0, claim=2.7)
    found = attest(claimed, evidence)
    ratios = {
        "half": found.excess / found.tol,
        "some": found.excess_mean / found.tol_mean,
        "itself": found.excess_quiet / found.tol_quiet,
    }
    assert max(ratios, key=ratios.get) in refusal(claimed, found)
