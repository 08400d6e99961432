"""The judge's process ends with its session: what pytest has to say and to end comes before, what Python has not."""

from __future__ import annotations

import subprocess
import sys

import pytest

SESSION = """
import atexit
import sys

import pytest
from kernelbot_core.judge.plugin import leave

atexit.register(print, "taken apart")


class Door:
    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session):
        session.config.add_cleanup(lambda: leave(session))

    def pytest_unconfigure(self):
        print("unconfigured")
        sys.stdout.flush()
        {last}


code = pytest.main(["-q", "-p", "no:cacheprovider", sys.argv[1]], plugins=[Door()])
print("came back")
sys.exit(code)
"""
BROKEN = "sys.stdout = type('Broken', (), {'flush': lambda self: 1 / 0})()"


@pytest.mark.parametrize(
    ("body", "code", "summary", "last"),
    [
        ("pass", 0, "1 passed", ""),
        ("assert 0", 1, "1 failed", ""),
        ("raise KeyboardInterrupt", 2, "KeyboardInterrupt", ""),
        ("raise KeyboardInterrupt", 2, "KeyboardInterrupt", BROKEN),
    ],
)
def test_it_ends_with_the_code_of_its_session_and_has_said_everything(tmp_path, body, code, summary, last):
    test = tmp_path / "test_it.py"
    test.write_text(f"def test():\n    {body}\n")
    ended = subprocess.run(
        [sys.executable, "-c", SESSION.replace("{last}", last), test],
        cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert ended.returncode == code, ended.stderr
    assert summary in ended.stdout
    assert ended.stdout.endswith("unconfigured\n")
