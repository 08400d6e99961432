"""The commands as a person calls them, from the arguments to the exit code; only the judge is made up."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from msgspec.structs import replace

from kernelbot_core import hookimpl
from kernelbot_core.model.report import load
from kernelbot_core.plugins import load_registry, use_registry


def fails(code, text):
    """A user's error: two lines at most, and no traceback."""
    lines = text.splitlines()
    assert lines[0].startswith("error: ")
    assert len(lines) == 1 or (len(lines) == 2 and lines[1].startswith("hint: "))
    return code


# --- run ---------------------------------------------------------------------------------------------------------


def test_run_passes(call, kernel, world):
    code, out, err = call("run", "twice", kernel)
    assert code == 0
    assert "PASSED on cpu · torch" in out
    assert err.splitlines() == ["build 1 case, ok", "correctness 6 cases, ok", "benchmark 4 cases, ok"]
    job = world.jobs[0]
    assert (job.mode, job.submission.user, job.seed) == ("benchmark", "ada", 7)


def test_run_takes_a_path(call, kernel, packs):
    assert call("run", packs / "twice", kernel)[0] == 0


def test_run_passes_every_wish_on(call, kernel, world):
    code, *_ = call(
        "run", "twice", kernel, "--lang", "torch", "--device", "cpu", "--mode", "test", "--seed", 5,
        "--size", "medium,small", "--dtype", "fp16", "--dtype", "fp32", "--unsafe",
    )  # fmt: skip
    job = world.jobs[0]
    assert code == 0
    assert (job.mode, job.seed, job.device, job.sandbox) == ("test", 5, "cpu", "process")
    assert (job.selection.sizes, job.selection.dtypes) == (["small", "medium"], ["fp32", "fp16"])


@pytest.mark.parametrize(
    ("status", "code"),
    [
        ("wrong", 1),
        ("build_failed", 1),
        ("not_run", 1),
        ("refused", 1),
        ("cancelled", 1),
        ("slow", 1),
        ("infrastructure", 3),
    ],
)
def test_exit_codes_of_verdicts(call, kernel, world, make_report, fail, status, code):
    world.answer = lambda job: fail(make_report(job), status)
    assert call("run", "twice", kernel)[0] == code


@pytest.mark.parametrize(
    "args",
    [
        ("run", "thrice", "kernel.py"),
        ("run", "./packs", "kernel.py"),
        ("run", "twice", "nothing.py"),
        ("run", "twice", "kernel.py", "--lang", "fortran"),
        ("run", "twice", "kernel.py", "--device", "tpu"),
        ("run", "twice", "kernel.py", "--size", "huge"),
        ("run", "twice", "kernel.py", "--dtype", "fp64"),
        ("run", "twice", "kernel.py", "--mode", "ranked", "--seed", "1"),
        ("run", "twice", "kernel.py", "--sandbox", "cage"),
        ("run", "twice", "kernel.py", "--json", "no/such/folder.json"),
        ("run", "twice", "kernel.py", "--json", "packs"),
        ("submit", "twice", "kernel.py", "--store", "sqlite:///x"),
        ("submit", "twice", "kernel.py", "--store", "tinydb:///dev/null/x"),
        ("submit", "twice", "kernel.py", "--user", ""),
        ("leaderboard", "thrice"),
        ("leaderboard", "twice", "--size", "huge"),
        ("leaderboard", "twice", "--dtype", "fp64"),
        ("leaderboard", "twice", "--lang", "fortran"),
        ("show", "abc"),
        ("show", "abc", "--json", "--source"),
        ("store", "copy", "tinydb:///a", "tinydb:///a"),
        ("store", "copy", "folder", "tinydb:///a"),
    ],
)
def test_wrong_usage_is_one_line_and_exit_code_2_and_nothing_runs(call, kernel, world, args):
    code, out, err = call(*args)
    assert fails(code, err) == 2
    assert out == ""
    assert world.jobs == []


@pytest.mark.parametrize(
    "args",
    [
        ("run",), ("run", "twice"), ("run", "twice", "k.py", "--mode", "fast"), ("nonsense",), ("store", "nonsense"),
        ("run", "twice", "k.py", "--no-such-option"), ("run", "twice", "k.py", "--seed", "-1"), (),
    ],
)  # fmt: skip
def test_wrong_arguments_are_exit_code_2(call, args):
    code, _, err = call(*args)
    assert code == 2
    assert "Usage: kernelbot" in err
    assert "Traceback" not in err


def test_a_file_that_is_too_large_is_exit_code_1(call, kernel, monkeypatch):
    monkeypatch.setenv("KERNELBOT_MAX_SOURCE", "10")
    code, _, err = call("run", "twice", kernel)
    assert fails(code, err) == 1


def test_a_broken_settings_file_is_named(call, kernel, tmp_path):
    (tmp_path / "kernelbot.toml").write_text("colour = 1\n")
    code, _, err = call("run", "twice", kernel)
    assert fails(code, err) == 2
    assert str(tmp_path / "kernelbot.toml") in err


def test_json_to_a_file(call, kernel, world, tmp_path):
    code, out, _ = call("run", "twice", kernel, "--json", "report.json")
    assert code == 0
    assert "PASSED" in out
    assert load((tmp_path / "report.json").read_bytes()).id == world.jobs[0].id


def test_json_to_standard_output_and_nothing_else_there(call, kernel, world):
    _, out, err = call("run", "twice", kernel, "--json", "-")
    assert load(out).id == world.jobs[0].id
    assert "PASSED" in err


def test_a_message_with_escape_sequences_is_cleaned(call, kernel):
    kernel.write_text("#!kernelbot problem \x1b[2Jevil\nimport torch\n")
    _, _, err = call("run", "twice", kernel)
    assert "\x1b" not in err
    assert "evil" in err


# --- submit, leaderboard, show -----------------------------------------------------------------------------------


def submit(call, kernel, world, make_report, user, time, number):
    kernel.write_text(f"import torch\nx = {number}\n")
    world.answer = lambda job: make_report(job, time, started=f"2026-01-{number:02}T10:00:00+00:00")
    return call("submit", "twice", kernel, "--user", user)


def test_a_verdict_that_cannot_be_recorded_is_shown(call, kernel, world, make_report, tmp_path):
    def answer(job):  # while it runs, a file comes where the reports belong
        reports = Path(world.store.removeprefix("tinydb://")) / "reports"
        shutil.rmtree(reports, ignore_errors=True)
        reports.write_text("in the way")
        return make_report(job, 1e-3)

    world.answer = answer
    code, out, err = call("submit", "twice", kernel, "--json", tmp_path / "report.json")
    assert fails(code, "".join(line for line in err.splitlines(keepends=True) if ": " in line)) != 0
    assert "PASSED on cpu · torch" in out
    assert "RANK" not in out
    assert load((tmp_path / "report.json").read_bytes()).status == "passed"


def test_from_submission_to_board(call, kernel, world, make_report):
    code, out, _ = submit(call, kernel, world, make_report, "ada", 2e-3, 1)
    assert code == 0
    assert "RANK 1 / 1 on cpu · torch · fp32  4.000 ms" in out
    assert world.jobs[0].mode == "ranked"
    _, out, _ = submit(call, kernel, world, make_report, "bob", 1e-3, 2)
    assert "RANK 1 / 2 on cpu · torch · fp32  2.000 ms" in out
    _, out, _ = submit(call, kernel, world, make_report, "cyd", 1.5e-3, 3)
    assert "RANK 2 / 3 on cpu · torch · fp32  3.000 ms, 50 % behind bob" in out
    _, out, _ = submit(call, kernel, world, make_report, "dan", 1.001e-3, 4)
    assert "RANK 1 / 4 (shared) on cpu · torch" in out
    assert f"kernelbot show {world.jobs[-1].id}" in out

    code, out, _ = call("leaderboard", "twice")
    assert code == 0
    assert "twice · cpu · all languages · fp32 · overall" in out
    assert "twice · cpu · all languages · fp16 · overall" in out
    table = [" ".join(line.split()) for line in out.splitlines()]
    assert "rank user language overall p99 vs baseline small medium lines runs submitted" in table
    first = [line for line in table if line[:1] in "=1234" and line[1:2] != "." and " torch " in line][:4]
    assert [line.split()[:2] for line in first] == [["=1", "bob"], ["=1", "dan"], ["3", "cyd"], ["4", "ada"]]
    assert first[0] == "=1 bob torch 2.000 ms 2.400 ms 0.5x 1.000 ms 4.000 ms 2 1 2026-01-02"
    assert "baseline 1.000 ms 1x 1.000 ms 1.000 ms" in table
    assert "cannot be told apart" in out
    assert "as of 2026-01-04 10:00 UTC" in out

    _, out, _ = call("leaderboard", "twice", "--size", "medium", "--dtype", "fp16", "--gpu", "CPU", "--lang", "torch")
    assert "twice · cpu · torch · fp16 · medium" in out
    assert "fp32" not in out


def test_the_ids_on_a_board_are_those_that_show_and_compare_take(call, kernel, world, make_report):
    submit(call, kernel, world, make_report, "ada", 2e-3, 1)
    submit(call, kernel, world, make_report, "bob", 1e-3, 2)
    submit(call, kernel, world, make_report, "bob", 1e-3, 2)  # the same code again: the latest run is named
    _, out, _ = call("leaderboard", "twice", "--ids", "--dtype", "fp32")
    ids = {line.split()[1]: line.split()[-1] for line in out.splitlines() if " torch " in line}
    assert ids == {"bob": world.jobs[2].id, "ada": world.jobs[0].id}
    assert call("show", ids["bob"])[0] == 0
    assert call("compare", "twice", ids["ada"], ids["bob"])[0] == 0
    _, out, _ = call("leaderboard", "twice")
    assert not [one for one in ids.values() if one in out]
    _, out, _ = call("history", "twice")
    assert next(line.split()[-1] for line in out.splitlines() if " torch " in line) == ids["ada"]


def test_a_part_of_the_grid_is_pointed_at_the_boards_where_it_stands(call, kernel):
    _, out, _ = call("submit", "twice", kernel, "--size", "medium")
    assert out.splitlines()[-1].endswith("kernelbot leaderboard twice --size medium")
    _, out, _ = call("submit", "twice", kernel)
    assert out.splitlines()[-1].endswith("kernelbot leaderboard twice")


def test_the_board_as_json(call, kernel, world, make_report):
    submit(call, kernel, world, make_report, "ada", 2e-3, 1)
    _, out, _ = call("leaderboard", "twice", "--json", "--dtype", "fp32", "--size", "small,medium")
    data = json.loads(out)
    assert data["problem"] == "twice"
    assert [(b["gpu"], b["dtype"], b["size"]) for b in data["boards"]] == [
        ("cpu", "fp32", "small"),
        ("cpu", "fp32", "medium"),
    ]
    (row,) = data["boards"][1]["rows"]
    assert row["standing"]["entry"]["user"] == "ada"
    assert row["standing"]["score"] == 8e-3


def test_an_empty_board_says_how_to_get_on_it(call):
    code, out, _ = call("leaderboard", "twice")
    assert code == 0
    assert "kernelbot submit twice FILE" in out
    assert json.loads(call("leaderboard", "twice", "--json")[1])["boards"] == []


def test_a_gpu_without_entries_lists_those_with_some(call, kernel, world, make_report):
    submit(call, kernel, world, make_report, "ada", 2e-3, 1)
    code, _, err = call("leaderboard", "twice", "--gpu", "H200")
    assert fails(code, err) == 2
    assert "H200" in err
    assert "cpu" in err


def test_a_part_of_the_grid_is_pointed_to(call, kernel):
    _, out, _ = call("submit", "twice", kernel, "--size", "small", "--dtype", "fp16")
    assert "RANK 1 / 1 on cpu · torch · fp16, small" in out
    assert "every ranked size" in out
    _, out, _ = call("leaderboard", "twice")
    assert "--size small" in out


def test_a_submission_again_says_so(call, kernel, world, make_report):
    submit(call, kernel, world, make_report, "ada", 2e-3, 1)
    _, out, _ = submit(call, kernel, world, make_report, "ada", 1e-3, 1)
    assert "median of 2 runs" in out
    _, out, _ = submit(call, kernel, world, make_report, "ada", 4e-3, 2)
    assert "your kernel.py counts" in out


def test_what_a_plugin_objects_to_is_shown_and_still_exits_0(call, kernel, world):
    class Strict:
        """Objects."""

        @hookimpl
        def kernelbot_check_report(self):
            return ["faster than light"]

    brings = next(p for p in world.registry.manager.get_plugins() if type(p).__name__ == "Plugin")
    with use_registry(load_registry([brings, Strict()])):
        code, out, _ = call("submit", "twice", kernel)
    assert code == 0
    assert "PASSED" in out
    assert "not recorded: faster than light" in out


def test_names_on_the_board_are_plain_text(call, kernel, world, make_report):
    world.answer = lambda job: replace(make_report(job), user="[red]\x1b[2Jx", filename="\x1b[2J.py")
    call("submit", "twice", kernel)
    _, out, _ = call("leaderboard", "twice")
    assert "[red]x" in out
    assert "\x1b" not in out


def test_a_store_is_copied(call, kernel, world, tmp_path):
    call("submit", "twice", kernel)
    target = f"tinydb://{tmp_path}/other"
    code, out, _ = call("store", "copy", world.store, target)
    assert (code, out) == (0, f"1 entry, 1 report and 1 source are in {target}\n")
    assert "ada" in call("leaderboard", "twice", "--store", target)[1]


def test_a_template_without_a_language_names_them(call, world):
    code, out, err = call("template", "twice")
    assert (fails(code, err), out) == (2, "")
    assert all(f"--lang {name}" in err for name in world.registry.languages)


@pytest.mark.parametrize("more", [(), ("--gpu", "H200"), ("--lang", "torch", "--size", "small")])
def test_a_history_without_entries_says_how_to_begin(call, more):
    said = "twice: nobody has stood first here yet; be the first: kernelbot submit twice FILE\n"
    assert call("history", "twice", *more) == (0, said, "")
    code, out, err = call("history", "twice", "--json", *more)
    assert (code, err) == (0, "")
    assert json.loads(out) == {"problem": "twice", "gpu": None, "reigns": []}
    assert call("leaderboard", "twice", *more)[0] == 0


@pytest.mark.parametrize("wrong", [("--lang", "tritn"), ("--size", "huge"), ("--dtype", "fp1"), ("--gpu", "H200")])
@pytest.mark.parametrize("command", ["history", "leaderboard"])
def test_boards_that_do_not_exist_are_an_error(call, kernel, world, make_report, command, wrong):
    submit(call, kernel, world, make_report, "ada", 2e-3, 1)
    code, out, err = call(command, "twice", *wrong)
    assert (fails(code, err), out) == (2, "")
    assert wrong[1] in err
