"""Each hostile submission ends in the status that it names, with a clear text, and leaves nothing behind."""

import re
from pathlib import Path

import pytest

HOSTILE = Path(__file__).parent / "hostile"


def expected(path):
    return re.search(r"expect: (.*)", path.read_text())[1].split("|")


@pytest.mark.parametrize("path", sorted(HOSTILE.glob("*.py")), ids=lambda path: path.stem)
def test_hostile_submission(path, judged, nothing_left):
    report = judged(path)
    assert report.status in expected(path), (report.status, report.reason, report.environment.get("judge_output"))
    assert report.reason
    assert "\n" not in report.reason
    if report.status != "passed":
        assert report.score is None
        assert any(case.status == "failed" for case in report.cases)
    assert len(report.output.text) <= 1 << 16


def test_conftest_beside_the_submission_is_never_collected(judged, nothing_left):
    folder = HOSTILE / "with_conftest"
    report = judged(folder / "kernel.py")
    assert report.status == "wrong"
    assert not (folder / "collected").exists()


def test_a_hostile_job_does_not_spoil_the_next(judged, nothing_left):
    assert judged(HOSTILE / "os_exits_in_call.py").status == "crashed"
    assert judged(HOSTILE / "prints_10mb.py").status == "passed"
