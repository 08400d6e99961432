"""Each hostile submission ends in the status that it names, with a clear text, and leaves nothing behind."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

HOSTILE = Path(__file__).parent / "hostile"


def expected(path):
    return re.search(r"expect: (.*)", path.read_text())[1].split("|")


def is_called_never_written(report):
    errors = [case.error for case in report.cases if case.status == "failed"]
    assert {"check", "property"} <= {case.kind for case in report.cases if case.status == "failed"}
    for error in errors:
        assert re.fullmatch(r"out\[\d+\] was never written, expected \S+", error.message)
        assert (error.got, error.fraction) == (None, None)
    assert "was never written" in report.reason


def is_called_what_it_is(report):
    """Not what nobody wrote, though that is a NaN too."""
    assert all(" is nan, expected " in case.error.message for case in report.cases if case.status == "failed")


def has_no_smallest_input(report):
    """What fails at import fails with every input."""
    failed = [case for case in report.cases if case.status == "failed"]
    assert "property" in [case.kind for case in failed]
    assert not [case.reason for case in failed if case.error.example or "n = " in case.reason]


MORE = {
    "misses_last": is_called_never_written,
    "writes_nan": is_called_what_it_is,
    "exits_at_import": has_no_smallest_input,
    "os_exits_at_import": has_no_smallest_input,
}


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
    if path.stem in MORE:
        MORE[path.stem](report)


def test_what_fails_when_it_is_loaded_has_no_smallest_input(judged, nothing_left, tmp_path):
    kernel = tmp_path / "kernel.py"
    kernel.write_text("import torch\nopen('/nothing/of/that/name')\n\n\ndef solve(a, b, out, n):\n    pass\n")
    report = judged(kernel)
    assert report.status == "build_failed"
    has_no_smallest_input(report)


def test_conftest_beside_the_submission_is_never_collected(judged, nothing_left):
    folder = HOSTILE / "with_conftest"
    report = judged(folder / "kernel.py")
    assert report.status == "wrong"
    assert not (folder / "collected").exists()


def test_a_hostile_job_does_not_spoil_the_next(judged, nothing_left):
    assert judged(HOSTILE / "os_exits_in_call.py").status == "crashed"
    assert judged(HOSTILE / "prints_10mb.py").status == "passed"


def test_the_fixture_sees_what_was_forked_off(processes_of, tmp_path):
    """Else "nothing is left" would prove nothing."""
    env = {**os.environ, "HOME": str(tmp_path / "scratch")}
    code = (
        "from subprocess import DEVNULL, Popen;"
        "print(Popen(['sleep', '1000'], start_new_session=True, stdout=DEVNULL, stderr=DEVNULL).pid)"
    )
    left = int(subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, check=True).stdout)
    try:
        assert [pid for pid, _ in processes_of(tmp_path / "scratch")] == [left]
    finally:
        os.kill(left, 9)
