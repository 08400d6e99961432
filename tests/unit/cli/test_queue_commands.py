"""The commands around the queue, as somebody types them: effects, words, exit codes."""

from __future__ import annotations

import json

import pytest

from kernelbot_core.engine.queue import open_queue, tickets


@pytest.fixture
def kernelbot(call, capsys):
    """``kernelbot("queue", "list")`` -> (exit code, standard output, standard error)."""

    def run(*argv):
        capsys.readouterr()
        return call(*argv)

    return run


@pytest.fixture
def add(kernelbot, kernel):
    """Adds a job, each with code of its own; returns its id."""
    number = iter(range(1, 100))

    def make(user="ada", *more):
        kernel.write_text(f"import torch\n\n\ndef solve(a, out, n):\n    torch.mul(a, {next(number)}, out=out)\n")
        code, out, err = kernelbot("queue", "add", "twice", str(kernel), "--device", "cpu", "--user", user, *more)
        assert code == 0, err
        return out.split()[0].removeprefix("#")

    return make


def serve(kernelbot):
    code, out, err = kernelbot("queue", "serve", "--device", "cpu", "--until-empty")
    assert code == 0, err
    return out


def test_add_look_serve(kernelbot, add):
    first, second = add(), add("bob", "--mode", "test", "--priority", "1")
    _, out, _ = kernelbot("queue", "list")
    lines = out.splitlines()
    assert [line.split()[0] for line in lines] == ["job", second, first]
    assert kernelbot("queue", "position", first)[1].startswith(f"#{first}: 2 of 2 on cpu, starts in about")
    listed = json.loads(kernelbot("queue", "list", "--json")[1])
    assert [one["wait"]["position"] for one in listed["jobs"]] == [1, 2]
    out = serve(kernelbot)
    assert f"#{first} done: ada, twice on cpu (passed: every case passed)" in out
    assert kernelbot("queue", "list")[1] == "nothing runs or waits\n"
    assert "done" in kernelbot("queue", "position", first)[1]
    assert kernelbot("show", first)[0] == 0


def test_serve_says_that_a_device_is_paused(kernelbot):
    kernelbot("queue", "pause", "cpu", "--reason", "new driver")
    code, out, err = kernelbot("queue", "serve", "--device", "cpu", "--until-empty")
    assert (code, out) == (0, "running the queue of cpu\n")
    assert err == "cpu is paused (new driver) and starts no job before `kernelbot queue resume cpu`\n"
    kernelbot("queue", "resume", "cpu")
    assert kernelbot("queue", "serve", "--device", "cpu", "--until-empty")[2] == ""


def test_cancel_and_rerun(kernelbot, add):
    job = add()
    assert kernelbot("queue", "cancel", job[:-1])[1].startswith(f"#{job} cancelled")
    code, out, _ = kernelbot("queue", "rerun", job)
    assert code == 0
    assert job not in out
    assert " queued: ada" in out


def test_pause_drain_resume(kernelbot, add):
    job = add()
    assert kernelbot("queue", "pause", "cpu", "--reason", "new driver")[1] == "cpu is paused, 1 job waiting\n"
    assert kernelbot("queue", "list")[1].startswith("cpu is paused: new driver\n")
    assert "the device is paused" in kernelbot("queue", "position", job)[1]
    kernelbot("queue", "drain", "cpu")
    code, _, err = kernelbot("queue", "rerun", job)
    assert (code, "takes no new jobs" in err) == (1, True)
    kernelbot("queue", "resume", "cpu")
    assert kernelbot("queue", "rerun", job)[0] == 0
    code, _, err = kernelbot("queue", "pause", "cuda:99")
    assert (code, "cuda:99" in err) == (2, True)


def test_a_limit_that_is_reached_says_when(kernelbot, add, kernel):
    assert kernelbot("admin", "limit", "1", "--problem", "twice")[1] == "everybody at twice: 1 an hour\n"
    add()
    code, _, err = kernelbot("queue", "add", "twice", str(kernel), "--device", "cpu", "--user", "ada")
    assert code == 1
    assert "the limit of 1 an hour at twice is reached" in err
    assert "the next slot opens at" in err
    taken_back = "everybody at twice: no limit of its own any more\n"
    assert kernelbot("admin", "limit", "default", "--problem", "twice")[1] == taken_back
    assert add()
    assert kernelbot("admin", "limit", "0", "--problem", "twcie")[0] == 2
    assert kernelbot("admin", "limit", "default", "--problem", "a-problem-that-is-gone")[0] == 0
    assert kernelbot("admin", "limit", "many")[0] == 2


def test_bans(kernelbot, add, kernel):
    add()
    assert kernelbot("admin", "ban", "ada")[0] == 2
    assert kernelbot("admin", "ban", "ada", "--reason", "miner", "--until", "tomorrow")[0] == 2
    kernelbot("admin", "ban", "ada", "--reason", "miner")
    code, _, err = kernelbot("queue", "add", "twice", str(kernel), "--device", "cpu", "--user", "ada")
    assert (code, "miner" in err) == (1, True)
    assert kernelbot("admin", "bans")[1] == "ada for good: miner\n"
    assert kernelbot("queue", "list")[1] == "nothing runs or waits\n"
    kernelbot("admin", "unban", "ada")
    assert add()


def test_history_compare_me_and_an_entry_that_is_taken_off(kernelbot, add, world, make_report):
    times = {"ada": 3e-3, "bob": 1e-3}
    world.answer = lambda job: make_report(job, times[job.submission.user])
    ada, bob = add("ada"), add("bob")
    serve(kernelbot)
    code, out, _ = kernelbot("history", "twice")
    assert code == 0
    assert out.strip().splitlines()[-1].split()[-1] in (ada, bob)
    code, out, _ = kernelbot("compare", "twice", ada, bob, "--user", "ada")
    assert code == 0
    assert "0.333x" in out
    assert "the code of bob at twice is not public" not in out  # the reports say January: it has been public for long
    assert "+    torch.mul(a, 2, out=out)" in out
    kernelbot("admin", "board", "twice", "--release", "never")
    out = kernelbot("compare", "twice", ada, bob, "--user", "ada")[1]
    assert "torch.mul" not in out
    assert "the code of bob at twice is not public" in out
    assert kernelbot("me", "--user", "bob")[1].startswith("bob: place 1, 33.3 points; jobs: 1 passed")
    kernelbot("admin", "invalidate", "twice", bob, "--reason", "reads the clock")
    assert kernelbot("me", "--user", "bob")[1].startswith("bob: no place on an overall board yet")
    assert "bob" not in kernelbot("leaderboard", "twice")[1]
    kernelbot("admin", "reinstate", "twice", bob)
    assert "bob" in kernelbot("leaderboard", "twice")[1]
    assert kernelbot("admin", "rejudge", "twice", bob)[1].startswith("#")
    kept = open_queue(world.registry, world.store)
    assert [found.user for found in tickets(kept)] == ["bob"]
    kept.close()
    acts = [line.split()[3] for line in kernelbot("admin", "audit")[1].splitlines()[1:]]
    assert acts == ["rejudge", "reinstate", "invalidate", "release"]


def test_boards_and_invites(kernelbot, add, kernel):
    out = kernelbot("admin", "board", "twice", "--deadline", "2020-01-01T00:00", "--private")[1]
    assert out == "twice: private, closes 2020-01-01 00:00:00 UTC, code: as the pack says\n"
    code, _, err = kernelbot("queue", "add", "twice", str(kernel), "--device", "cpu")
    assert (code, "twice is private" in err) == (1, True)
    assert len(kernelbot("admin", "invite", "twice", "--uses", "3")[1].strip()) > 10
    out = kernelbot("admin", "board", "twice", "--deadline", "none", "--public", "--release", "14", "--json")[1]
    assert json.loads(out) == {"problem": "twice", "deadline": None, "private": False, "release": 14}
    assert kernelbot("admin", "board", "twice", "--release", "soon")[0] == 2
    assert add()


def test_what_is_not_there_is_said_in_one_line(kernelbot, world):
    for argv in (
        ("queue", "position", "zz"), ("queue", "cancel", "zz"), ("compare", "twice", "a", "b"),
        ("admin", "unban", "ada"), ("admin", "invalidate", "twice", "zz", "--reason", "x"),
        ("queue", "serve", "--device", "x"),
    ):  # fmt: skip
        code, _, err = kernelbot(*argv)
        assert code == 2, argv
        assert err.startswith("error: ")
        assert "Traceback" not in err


def test_a_priority_has_bounds(kernelbot, kernel):
    code, _, err = kernelbot("queue", "add", "twice", str(kernel), "--device", "cpu", "--priority", "9" * 20)
    assert code == 2
    assert "-1000<=x<=1000" in err
