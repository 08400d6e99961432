"""Cards fit into Discord's limits, whatever a report holds, and say what its author needs."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from kernelbot_bot.render.card import card
from kernelbot_bot.render.message import FILE_BYTES, Attached
from kernelbot_core.engine.accept import accept
from kernelbot_core.model.report import CaseError
from kernelbot_core.packs.find import resolve
from kernelbot_core.scripted import failed_report, passed_report


@pytest.fixture(scope="module")
def job():
    from kernelbot_core.plugins import load_registry
    from kernelbot_core.settings import Settings

    registry = load_registry()
    problem = resolve("vector_add", registry.pack_sources)
    source = "import torch\ndef solve(a, b, out, n):\n    torch.add(a, b, out=out)\n"
    return accept(registry, problem, source, "k.py", settings=Settings(), device="cpu", mode="benchmark", user="ada")


NASTY = st.text(max_size=50).map(lambda s: s + "@everyone <@1> ``` [x](https://y.z) ") | st.just("line @here\n" * 400)


def within_limits(shown):
    embed = shown.embed
    assert len(embed.title) <= 256
    assert len(embed.description) <= 4096
    assert len(embed) <= 6000
    assert len(shown.files) <= 10
    assert all(len(one.file().fp.read()) <= FILE_BYTES for one in shown.files)
    outside = re.sub(
        r"```.*?```|`[^`\n]*`", "", f"{embed.title}\n{embed.description}\n{embed.footer.text}", flags=re.DOTALL
    )
    assert not re.search(r"@everyone|@here|<@1>", outside)
    assert embed.description.count("```") % 2 == 0


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=NASTY, name=NASTY, kind=st.sampled_from(["build", "check", "property", "bench"]))
def test_a_card_of_any_report_fits_and_pings_nobody(job, text, name, kind):
    error = CaseError(
        message=text, index=[1] * 500, output=name, expected=name, got=text, fraction=2.0, example=text, text=text
    )
    report = failed_report(passed_report(job), "wrong", kind, error=error)
    report = replace(report, filename=name, gpu=name, language=text, reason=text, user=name)
    within_limits(card(report))


def test_a_grid_of_any_length_fits(job):
    report = passed_report(job)
    bench = next(case for case in report.cases if case.kind == "bench")
    many = [replace(bench, id=f"bench[{n}]", size=f"size_{n}" * 4, notes=[f"note {n} " * 50]) for n in range(500)]
    shown = card(replace(report, cases=[*report.cases, *many]))
    within_limits(shown)
    assert "more" in shown.embed.description


def test_the_smallest_failing_input_stands_out(job):
    error = CaseError(message="3 of 5 wrong", index=[4], output="out", expected="2.5", got="nan", example="n = 5")
    shown = card(failed_report(passed_report(job), "wrong", "property", error=error))
    assert "**smallest failing input:** n = 5" in shown.embed.description
    assert "3 of 5 wrong\n`out[4]` is `nan`, expected `2.5` (not a finite number)" in shown.embed.description
    assert "**WRONG**" in shown.embed.description


def test_long_compiler_text_becomes_a_file_and_its_end_is_shown(job):
    text = "\n".join(f"kernel.cu({n}): error: no" for n in range(500))
    shown = card(failed_report(passed_report(job), "build_failed", "build", text=text))
    assert [one.name for one in shown.files] == ["compiler.txt"]
    assert shown.files[0].data.decode() == text
    assert "kernel.cu(499): error: no\n```" in shown.embed.description


def test_the_first_call_and_what_the_judges_clock_supports_are_said(job):
    from kernelbot_core.model.report import Attestation

    sure = Attestation(
        excess=0.0, tol=1e-6, excess_mean=0.0, tol_mean=1e-6, ok=True, s_T=1e-6, source="default", bound=1e-3,
        attested_to=0.0123, harness=3e-4, harness_clean=3e-4,
    )  # fmt: skip
    report = passed_report(job)
    cases = [replace(case, first_call=0.5, attestation=sure) if case.stats else case for case in report.cases]
    text = card(replace(report, cases=cases)).embed.description
    assert "✅ benchmark (50 runs, first call 500.0 ms, attested to 1.23 %)" in text


def test_a_file_too_large_for_discord_is_cut_and_says_so():
    data = Attached("a.txt", b"x" * (FILE_BYTES + 1)).file().fp.read()
    assert len(data) <= FILE_BYTES
    assert data.endswith(f"[cut: {FILE_BYTES + 1} bytes]".encode())


def test_what_the_message_says_is_not_said_twice_and_the_case_with_an_input_comes_first(job):
    error = CaseError(
        message="out[4] is 0, expected 2.5 (1200 x the allowed error)", fraction=1200.0,
        index=[4], output="out", expected="2.5", got="0",
    )  # fmt: skip
    report = failed_report(passed_report(job), "wrong", "check", error=error)
    text = card(report).embed.description
    assert text.count("expected") == 1
    assert "`out[4]` is `0`, expected `2.5` (1200 times what is allowed)" in text
    last = replace(report.cases[-1], kind="property", id="property[x]", status="failed",
                   error=replace(error, example="n = 5"))  # fmt: skip
    text = card(replace(report, cases=[*report.cases, last])).embed.description
    assert text.index("`property[x]`") < text.index("n = 5") < text.index("1 more failed: check")


@pytest.mark.parametrize(("more", "times"), [("", 1), ("note\n" * 400, 2)])
def test_a_compiler_line_is_said_again_only_where_its_text_is_cut(job, more, times):
    line = "k.py:6: invalid syntax"
    error = CaseError(message=line, text=f"{line}\n{more}{line if more else ''}")
    text = card(failed_report(passed_report(job), "build_failed", "build", error=error)).embed.description
    assert text.replace("\\", "").replace("\u200b", "").count(line) == times
