"""The scripts of benchmarks/ end as the commands do when something is missing that a person can put right."""

import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "benchmarks"


@pytest.mark.parametrize("script", ["adversarial", "agreement", "clock", "gate"])
def test_a_device_that_is_not_there_is_one_clear_line(script, tmp_path):
    command = [sys.executable, str(FOLDER / f"{script}.py"), "--device", "cuda:99"]
    ended = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=120, check=False)
    assert ended.returncode == 2, ended.stderr
    error, hint = ended.stderr.splitlines()
    assert error.startswith("error: ")
    assert "cuda:99" in error
    assert hint.startswith("hint: ")


def test_a_number_that_is_none_is_an_error_of_usage(tmp_path):
    command = [sys.executable, str(FOLDER / "enqueue.py"), "many"]
    ended = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=120, check=False)
    assert ended.returncode == 2
    assert "Traceback" not in ended.stderr
