"""The report of a job, shown later."""

from __future__ import annotations

from kernelbot_core.model.report import load


def test_a_failed_submission_can_be_shown(call, kernel, world, make_report, fail):
    world.answer = lambda job: fail(make_report(job), "wrong")
    code, _, _ = call("submit", "twice", kernel)
    assert code == 1
    name = world.jobs[0].id
    code, out, _ = call("show", f"#{name}")
    assert code == 0
    assert "WRONG on cpu" in out
    assert load(call("show", name[:12], "--json")[1]).status == "wrong"
    assert call("show", name, "--source")[1] == kernel.read_text()
    assert "be the first" in call("leaderboard", "twice")[1]


def test_a_shown_report_says_whose_it_is(call, kernel, world):
    call("submit", "twice", kernel, "--user", "ada")
    name = world.jobs[0].id
    assert call("show", name)[1].startswith(f"#{name}  twice · torch · cpu · ranked · by ada\n")


def test_an_ambiguous_id_lists_some(call, kernel, world):
    call("submit", "twice", kernel)
    call("submit", "twice", kernel)
    code, _, err = call("show", world.jobs[0].id[:3])
    assert code == 2
    assert err.startswith("error: ")
    assert "2 reports start with" in err
    assert world.jobs[1].id in err


def test_a_shown_source_cannot_steer_the_terminal(call, kernel, world):
    kernel.write_text("import torch  # \x1b[2J\u202e\n")
    call("submit", "twice", kernel)
    assert call("show", world.jobs[0].id, "--source")[1] == "import torch  # \n"
