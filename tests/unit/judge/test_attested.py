"""What the word "attested" on a report rests on."""

from __future__ import annotations

import msgspec
import pytest

from kernelbot_core.interfaces.sandbox import WALLS
from kernelbot_core.judge.attest import attest
from kernelbot_core.judge.evidence import Evidence, Pair
from kernelbot_core.judge.record import attested
from kernelbot_core.model.report import CaseResult

US = 1e-6


def cell(*, hidden=0.0, status="passed", **changes):
    """A timed cell whose process hides so many seconds."""
    around = [300 * US + 0.1 * US * (number % 3) for number in range(30)]
    pair = Pair([one + hidden for one in around], around, 20 * US)
    found = attest(20 * US, Evidence([pair], clean=around, nulls=around))
    found = msgspec.structs.replace(found, **changes)
    return CaseResult(id=f"bench[{hidden}{changes}]", kind="bench", status=status, attestation=found)


def test_supported_times_behind_walls_are():
    assert attested(WALLS, [cell(), CaseResult(id="check[a]", kind="check", status="passed")])
    assert attested(WALLS, [cell(), cell(hidden=10 * US, replaced=True)]), "the judge's own time stands there"
    assert attested(WALLS, [cell(hidden=10 * US, host_sync=True)])


@pytest.mark.parametrize(
    ("guarantees", "cases"),
    [
        (WALLS - {"filesystem"}, [cell()]),
        (WALLS, [cell(), cell(hidden=10 * US)]),
        (WALLS, [cell(), CaseResult(id="bench[cpu]", kind="bench", status="passed")]),
        (WALLS, []),
        (WALLS, [cell(status="failed")]),
        (WALLS, [cell(attested_to=0.6)]),
        (WALLS, [cell(), CaseResult(id="bench[b]", kind="bench", status="failed", verdict="not_attested")]),
    ],
    ids=["no walls", "unsupported", "no clock of its own", "nothing timed", "failed", "too short", "one refused"],
)
def test_anything_less_is_not(guarantees, cases):
    assert not attested(guarantees, cases)
