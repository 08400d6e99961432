"""By how much the baseline's D rises without anybody's doing. Times in seconds."""

from __future__ import annotations

import pytest

from kernelbot_core.judge.attest import rise_by_itself
from kernelbot_core.judge.estimate import SIGMAS


@pytest.mark.parametrize(("clean", "rise"), [(293e-6, 0.23e-6), (424e-6, 0.34e-6), (1315e-6, 2.69e-6)])
def test_long_copies_of_outputs_rise_by_a_larger_share(clean, rise):
    assert rise_by_itself([clean, clean * 0.9, clean * 1.1]) == pytest.approx(rise, rel=0.03)


@pytest.mark.parametrize(("clean", "seen"), [(2301e-6, 7.04e-6), (2323e-6, 6.43e-6), (1313e-6, 4.5e-6)])
def test_what_was_seen_in_honest_cells_can_be_noise(clean, seen):
    assert seen < SIGMAS * rise_by_itself([clean])
