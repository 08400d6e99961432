"""The conformance suite: ours pass, and each promise that is broken is found by the test that asks for it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
BROKEN = {
    "sure": {"test_detect_is_a_confidence"},
    "greedy": {"test_it_is_not_greedy"},
    "raising": {"test_a_broken_source_is_an_answer", "test_builds_do_not_affect_each_other"},
    "leaking": {"test_builds_do_not_affect_each_other"},
    "lottery": {"test_one_lucky_run_does_not_count"},
    "talkative": {"test_the_environment_is_exactly_what_was_given"},
    "forgetful": {"test_runs_of_one_entry_are_pooled"},
}


def conformance(*args, cwd, env=None):
    command = [sys.executable, "-m", "pytest", "-q", "-rf", "--tb=line", "-p", "no:cacheprovider", *args]
    return subprocess.run(
        [*command, "--kernelbot-conformance"],
        capture_output=True,
        text=True,
        check=False,
        cwd=cwd,
        env=env,
        timeout=300,
    )


def test_everything_that_is_installed_conforms(tmp_path):
    ran = conformance(cwd=tmp_path)
    assert ran.returncode == 0, ran.stdout
    assert "plugin lang_torch: 4 passed" in ran.stdout


def test_each_broken_promise_is_found(tmp_path):
    env = os.environ | {"PYTHONPATH": str(HERE)}
    ran = conformance("-p", "faulty_plugins", "--kernelbot-plugin=faulty_plugins_1", cwd=tmp_path, env=env)
    assert ran.returncode == 1, ran.stdout + ran.stderr
    found = {name: set() for name in [*BROKEN, "sound"]}
    for test, name in re.findall(r"^FAILED .*::(\w+)\[(\w+)", ran.stdout, re.MULTILINE):
        found.setdefault(name, set()).add(test)
    assert found.pop("sound") == set(), "what breaks no promise must pass"
    assert {name: tests & BROKEN.get(name, set()) for name, tests in found.items()} == BROKEN


def test_a_name_that_nobody_has_is_a_usage_error(tmp_path):
    ran = conformance("--kernelbot-plugin=nobody", cwd=tmp_path)
    assert ran.returncode == 4
    assert "no such plugin (known: " in ran.stdout + ran.stderr
