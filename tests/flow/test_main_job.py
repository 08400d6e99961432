"""From a file to a place on the board, with the real runner, judge and workers; and the same through pytest."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import problem_packs

PACKS = Path(problem_packs.__file__).parent
RIGHT = PACKS / "vector_add/samples/right/torch_add.py"
WRONG = PACKS / "vector_add/samples/wrong/misses_last.py"
SMALL = ["--size", "small", "--dtype", "fp32"]


@pytest.fixture
def kernelbot(tmp_path):
    env = {**os.environ, "KERNELBOT_STORE": f"tinydb://{tmp_path}/store", "COLUMNS": "120"}

    def call(*arguments, code=0):
        command = [sys.executable, "-m", "kernelbot_core", *map(str, arguments)]
        ended = subprocess.run(command, capture_output=True, text=True, env=env, cwd=tmp_path, timeout=120, check=False)
        assert ended.returncode == code, (ended.stdout, ended.stderr)
        assert "Traceback" not in ended.stderr
        return ended

    return call


def test_submit_leaderboard_show(kernelbot, tmp_path):
    out = tmp_path / "report.json"
    shown = kernelbot("submit", "vector_add", RIGHT, "--user", "ada", "--json", out).stdout
    assert "RANK 1 / 1" in shown
    report = json.loads(out.read_text())
    assert report["status"] == "passed"
    assert report["mode"] == "ranked"
    assert report["sandbox"] == "bwrap"
    assert len(report["seed"]["secret"]) == 64
    bench = [case for case in report["cases"] if case["kind"] == "bench" and case["status"] == "passed"]
    assert {case["stats"]["n"] for case in bench} == {50}
    assert all(len(case["samples"]["T"]) == 50 for case in bench)
    again = json.loads(kernelbot("submit", "vector_add", RIGHT, "--user", "bob", *SMALL, "--json", "-").stdout)
    assert again["seed"]["secret"] != report["seed"]["secret"]
    asked = ("leaderboard", "vector_add", "--size", "small", "--dtype", "fp32", "--json")
    board = json.loads(kernelbot(*asked).stdout)
    assert {"ada", "bob"} <= set(json.dumps(board).replace('"', " ").split())
    assert "ada" in kernelbot("leaderboard", "vector_add").stdout
    assert report["id"] in kernelbot("show", report["id"]).stdout


def test_wrong_submission_is_recorded_as_a_report_and_never_ranked(kernelbot, tmp_path):
    out = tmp_path / "report.json"
    kernelbot("submit", "vector_add", WRONG, *SMALL, "--json", out, code=1)
    report = json.loads(out.read_text())
    assert report["status"] == "wrong"
    assert report["score"] is None
    assert report["id"] in kernelbot("show", report["id"]).stdout
    assert '"rank"' not in kernelbot("leaderboard", "vector_add", "--json").stdout


def test_public_inputs_are_the_same_for_everybody(kernelbot, tmp_path):
    differences = set()
    for _ in range(2):
        out = tmp_path / "report.json"
        kernelbot("run", "vector_add", WRONG, *SMALL, "--mode", "test", "--json", out, code=1)
        case = next(case for case in json.loads(out.read_text())["cases"] if case["id"] == "check[small-fp32]")
        differences.add(case["error"]["expected"])
    assert len(differences) == 1


def pytest_run(tmp_path, submission, *options):
    command = [
        sys.executable, "-m", "pytest", str(PACKS / "vector_add"), f"--submission={submission}",
        "--kernelbot-device=cpu", "--kernelbot-size=small", "--kernelbot-dtype=fp32", *options,
    ]  # fmt: skip
    return subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=120, check=False)


def test_pytest_from_another_folder(tmp_path):
    out, table = tmp_path / "report.json", tmp_path / "benchmark.json"
    ended = pytest_run(tmp_path, RIGHT, f"--kernelbot-report={out}", f"--benchmark-json={table}")
    assert ended.returncode == 0, ended.stdout
    assert "bench[small-fp32]" in ended.stdout
    assert "benchmark 'vector_add | cpu | torch'" in ended.stdout
    report = json.loads(out.read_text())
    assert report["status"] == "passed"
    samples = next(case["samples"]["T"] for case in report["cases"] if case["kind"] == "bench")
    row = json.loads(table.read_text())["benchmarks"][0]
    assert row["stats"]["data"] == samples
    assert row["extra_info"]["p99"] > 0


def test_pytest_writes_its_report_over_nothing_that_it_reads(tmp_path):
    kernel = tmp_path / "add.py"
    kernel.write_bytes(RIGHT.read_bytes())
    (tmp_path / "link.py").hardlink_to(kernel)
    ended = pytest_run(tmp_path, kernel, "--kernelbot-report=link.py")
    assert ended.returncode == 4
    assert f"--kernelbot-report link.py: would overwrite {kernel}, which is read" in ended.stderr
    assert kernel.read_bytes() == RIGHT.read_bytes()
    ended = pytest_run(tmp_path, kernel, "--kernelbot-report=no/such.json")
    assert ended.returncode == 4
    assert "there is no folder no" in ended.stderr


def test_pytest_says_what_is_wrong(tmp_path):
    ended = pytest_run(tmp_path, WRONG)
    assert ended.returncode == 1
    assert "wrong: out[1023] was never written" in ended.stdout
    assert "smallest failing input: n = 1" in ended.stdout
    assert "Traceback" not in ended.stdout
    assert "not reached" in pytest_run(tmp_path, WRONG, "-rs").stdout


@pytest.mark.parametrize(("option", "text"), [
    ("--benchmark-disable", "leave out --benchmark-disable"), ("--kernelbot-size=huge", "no size huge"),
    ("--submission=", "--submission names no file"),
])  # fmt: skip
def test_pytest_refuses_in_one_line(tmp_path, option, text):
    command = [sys.executable, "-m", "pytest", str(PACKS / "vector_add"), f"--submission={RIGHT}", option]
    ended = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=60, check=False)
    assert ended.returncode == 4
    assert text in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_packs_own_tests_are_about_the_dtypes_of_the_job(kernelbot, tmp_path):
    out = tmp_path / "report.json"
    sample = PACKS / "softmax/samples/right/torch_softmax.py"
    kernelbot("run", "softmax", sample, "--mode", "test", "--size", "narrow", "--dtype", "fp32", "--json", out)
    extra = {case["id"]: case for case in json.loads(out.read_text())["cases"] if case["kind"] == "extra"}
    assert extra["extra[test_rows_sum_to_one[fp32]]"]["status"] == "passed"
    skipped = extra["extra[test_rows_sum_to_one[fp16]]"]
    assert (skipped["status"], skipped["reason"]) == ("skipped", "fp16 is no part of this job")
