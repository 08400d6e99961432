"""The card: what a participant reads, whatever the submission has put into the report."""

from __future__ import annotations

import io

import pytest
from msgspec.structs import replace
from rich.console import Console

from kernelbot_core.cli._card import print_card
from kernelbot_core.cli._verdict import verdict
from kernelbot_core.engine.accept import accept_file
from kernelbot_core.engine.record import Recorded
from kernelbot_core.model.report import STATUS_TEXT, Attestation, CaseError, Instance, Output, Unattested

EVIL = "\x1b]0;owned\x07\x1b[2J[bold red]x[/] [link=http://evil]y[/link]\u202e"


@pytest.fixture
def report(world, problem, kernel, make_report):
    return make_report(accept_file(world.registry, problem, kernel, device="cpu", user="ada"))


def shown(report, recorded=None, width=80, terminal=False):
    console = Console(
        file=io.StringIO(), width=width, force_terminal=terminal, color_system="truecolor" if terminal else None
    )
    print_card(console, report, recorded)
    return console.file.getvalue()


def test_a_passed_card(report):
    text = shown(replace(report, scores={"fp32": 2e-3}, baseline={"fp32": 1e-3}))
    lines = text.splitlines()
    assert lines[0] == f"#{report.id}  twice · torch · cpu · benchmark"
    assert lines[1] == "✓ build (1.2 s)"
    assert (
        lines[2] == "✓ correctness (matched the reference in 6 cases, worst error 25 % of the allowed, max_diff 1e-07)"
    )
    assert lines[3] == "✓ benchmark (50 measured calls in each of 4 cells, every one checked)"
    assert " ".join(lines[4].split()) == "size dtype median p99 std ± n rate of peak vs baseline first call"
    assert " ".join(lines[5].split()) == "small fp32 1.000 ms 1.200 ms 20.00 us 0.1 % 50 0.008 GB/s 50 % 1x -"
    assert lines[7].split()[:4] == ["medium", "fp32", "4.000", "ms"]
    assert (
        "- skipped large-fp32, large-fp16, benchmark large-fp32, benchmark large-fp16: size large is for gpu only"
        in lines
    )
    assert "PASSED on cpu · torch: fp32 2.000 ms (0.5x vs baseline)" in lines


def test_the_board_is_named_as_the_user_named_the_problem(report):
    ranked = replace(report, mode="ranked")
    lines = [*verdict(ranked, Recorded(objections=["late"]), "./my packs/twice")]
    assert lines[-1].plain == f"more: kernelbot show {report.id} · kernelbot leaderboard './my packs/twice'"
    assert [*verdict(ranked, Recorded(objections=["late"]))][-1].plain.endswith("kernelbot leaderboard twice")


@pytest.mark.parametrize("width", [20, 80, 200])
def test_numbers_are_never_shortened(report, width):
    assert "…" not in shown(report, width=width)
    assert "0.008 GB/s" in shown(report, width=width)


@pytest.mark.parametrize("status", [s for s in STATUS_TEXT if s not in ("passed",)])
def test_every_status_has_a_line_of_its_own(report, fail, status):
    lines = shown(fail(report, status)).splitlines()
    assert any(line.startswith(f"{status.upper().replace('_', ' ')} on cpu · torch: ") for line in lines)
    assert not any(line.startswith("PASSED") for line in lines)


def test_a_wrong_element(report, fail):
    error = CaseError(message="the outputs differ", output="out", index=[3, 4], expected="1.5", got="nan")
    text = shown(fail(report, "wrong", error=error))
    assert "✗ correctness (1 of 1 case failed)" in text
    assert "check[small-fp32]: the outputs differ" in text
    assert "at out[3, 4]: expected 1.5, got nan" in text
    assert "not a finite number" in text
    assert "not reached, 13 cases: check[small-fp32] failed" in text
    error = replace(error, fraction=345.6, message="out[3, 4] is 2, expected 1.5", got="2")
    text = shown(fail(report, "wrong", error=error))
    assert "out[3, 4] is 2, expected 1.5" in text
    assert text.count("1.5") == 1


def test_the_smallest_failing_input(report, fail):
    error = CaseError(message="out[0] is 0", example="n = 7, a[0] = inf")
    text = shown(fail(report, "wrong", kind="property", error=error))
    assert "property[shapes-fp32]: out[0] is 0" in text
    assert "smallest failing input: n = 7, a[0] = inf" in text


def test_compiler_text_from_its_end_on(report, fail):
    lines = "\n".join(f"kernel.cu({n}): error" for n in range(100))
    text = shown(fail(report, "build_failed", kind="build", text=lines))
    assert "✗ build" in text
    assert "✓" not in text
    assert "| kernel.cu(99): error" in text
    assert "kernel.cu(69)" not in text
    assert "70 lines before" in text


def test_what_cannot_be_loaded_is_not_built(report, fail):
    text = shown(fail(report, "build_failed", kind="check"))
    assert "✗ build" in text
    assert "✓" not in text


@pytest.mark.parametrize(("text", "quoted"), [("k.py:1: no\nhere", ["    | here"]), ("k.py:1: no\n", [])])
def test_a_message_that_begins_its_own_text_is_shown_once(report, fail, text, quoted):
    lines = shown(fail(report, "build_failed", kind="build", error=CaseError(message="k.py:1: no", text=text)))
    assert lines.count("k.py:1: no") == 1
    assert [line.rstrip() for line in lines.splitlines() if line.startswith("    |")] == quoted


def test_one_traceback_is_shown_once_and_the_other_cases_are_named(report):
    def broken(case):
        if case.kind not in ("check", "property") or case.status != "passed":
            return case
        error = CaseError(message="it raised", text="Traceback: boom")
        return replace(case, status="failed", verdict="crashed", reason="it raised", error=error)

    text = shown(replace(report, status="crashed", cases=[broken(case) for case in report.cases]))
    assert text.count("Traceback: boom") == 1
    assert "failed too: check[small-fp16], check[medium-fp32], check[medium-fp16], property[shapes-fp16]" in text


def test_what_the_submission_printed(report, fail):
    text = shown(replace(fail(report, "crashed"), output=Output(text="hello\nthere\n")))
    assert "    | hello\n    | there\n" in text


@pytest.mark.parametrize("terminal", [False, True])
def test_nothing_of_the_submission_reaches_the_terminal_raw(report, fail, terminal):
    error = CaseError(message=EVIL, text=EVIL, example=EVIL, output=EVIL, index=[1], expected=EVIL, got="1" + EVIL)
    bad = replace(fail(report, "wrong", error=error), output=Output(text=EVIL), filename=EVIL, reason=EVIL)
    cases = [replace(case, reason=EVIL, notes=[EVIL]) for case in bad.cases]
    for evil in (replace(bad, cases=cases), replace(bad, status="infrastructure")):
        text = shown(evil, Recorded(objections=[EVIL]), terminal=terminal)
        assert "owned" not in text
        assert "\x1b]" not in text
        assert "\x1b[2J" not in text
        assert "\u202e" not in text
        assert "[bold red]x[/]" in text
        assert "[link=http://evil]y[/link]" in text


def test_why_a_passed_job_is_not_recorded(report):
    ranked = replace(report, mode="ranked")
    text = shown(ranked, Recorded(objections=["faster than light"]))
    assert "PASSED" in text
    assert "not recorded: faster than light" in text
    assert f"kernelbot show {report.id}" in text


def test_notes_are_shown_once(report):
    cases = [replace(c, notes=["6 pairs instead of 50"]) if c.kind == "bench" else c for c in report.cases]
    text = shown(replace(report, cases=cases, returns_value=True))
    assert text.count("6 pairs instead of 50") == 1
    assert "returns its outputs" in text


def test_what_stands_below_the_table(report):
    attested = Attestation(
        excess=1e-6, tol=4.2e-6, excess_mean=1e-6, tol_mean=4.5e-6, ok=True, s_T=1.4e-6, source="default", bound=6e-6,
        attested_to=0.8, harness=3e-4, harness_clean=3e-4,
    )  # fmt: skip

    def timed(case):
        if case.kind != "bench" or case.stats is None or case.dtype != "fp32":
            return case
        if case.size == "small":
            return replace(
                case, stats=replace(case.stats, resolution=0.024), instances=[Instance(median=1e-6, n=20)] * 9,
                first_call=1.5, attestation=attested,
            )  # fmt: skip
        return replace(case, unattested=Unattested(do_bench=51.9e-6, sustained=6e-4), attestation=attested)

    cases = [timed(case) for case in report.cases]
    lines = shown(replace(report, cases=cases), width=200).splitlines()
    assert lines[4].split()[-2:] == ["attested", "to"]
    assert lines[5].split()[-4:] == ["1.500", "s", "80", "%"]
    assert "- not resolved: small-fp32 ±2.4 %" in lines
    assert "- several processes measured small-fp32 (9)" in lines
    assert "- like do_bench medium-fp32 51.90 us (unattested)" in lines
    assert "- sustained, back to back for a second medium-fp32 600.0 us (unattested)" in lines
    plain = [replace(case, attestation=None) for case in cases]
    assert "- in a plain loop medium-fp32 51.90 us (unattested)" in shown(replace(report, cases=plain)).splitlines()


def test_a_failed_benchmark(report, fail):
    text = shown(fail(report, "slow", kind="bench"))
    assert "✓ correctness" in text
    assert "✗ benchmark (1 of 1 cell failed)" in text
    assert "bench[small-fp32]: it is slow" in text


def test_only_the_mark_and_the_verdict_are_coloured(report, fail):
    text = shown(fail(report, "wrong"), terminal=True)
    assert "\x1b[31m✗ \x1b[0mcorrectness" in text
    assert "\x1b[1;31mWRONG\x1b[0m on cpu" in text


def test_a_factor_of_a_cell_that_resolves_little_is_about_so_much(report):
    cases = [
        replace(c, stats=replace(c.stats, resolution=0.5)) if c.stats and c.size == "small" else c for c in report.cases
    ]
    lines = shown(replace(report, cases=cases)).splitlines()
    assert "~1x" in next(line for line in lines if line.split()[:2] == ["small", "fp32"])
    assert "~" not in next(line for line in lines if line.split()[:2] == ["medium", "fp32"])


def test_what_does_not_build_skips_nothing(report, fail):
    assert "- skipped" not in shown(fail(report, "build_failed"))
