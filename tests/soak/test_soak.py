"""Nothing is left behind: the short version of ``make soak``."""

import pytest
from kills.series import series

from kernelbot_core.plugins import registry

SHORT = ("front end", "runner", "nursery", "supervisor", "judge", "submission")
SEED = 4


@pytest.mark.slow
def test_after_kill_9_of_anything_nothing_is_left_and_the_next_job_passes(tmp_path):
    sandbox = "bwrap" if registry().sandboxes["bwrap"].available().ok else "process"
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    runs = list(series(scratch, SHORT, seed=SEED, sandbox=sandbox, modes=("test",)))
    assert [run["kind"] for run in runs] == list(SHORT)
    for run in runs:
        assert run["left"] == [], run
        assert run["next"], run
        assert not run["blamed"], run
