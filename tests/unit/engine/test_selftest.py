"""What a selftest concludes from its sessions, and what it keeps."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest
from msgspec.structs import replace
from rich.console import Console

from kernelbot_core.cli import cli
from kernelbot_core.cli.selftest import show
from kernelbot_core.engine.accept import accept_file
from kernelbot_core.engine.selftest import CLOCK
from kernelbot_core.engine.selftest.evaluate import evaluate, host_file
from kernelbot_core.errors import InfrastructureError, UsageError
from kernelbot_core.model.device import Availability, DeviceInfo
from kernelbot_core.model.report import Attestation, Samples
from kernelbot_core.packs.load import load_problem

GPU = DeviceInfo(id="cuda:0", kind="gpu", index=0, label="H200", name="NVIDIA H200", uuid="GPU-1")


@pytest.fixture
def sessions(world, problem, kernel, make_report):
    """``sessions(excesses)``: one report per session, the same excess in each of its cells, in us."""

    def make(excesses, *, resolution=0.002, c0=310e-6, throttle=()):
        job = accept_file(world.registry, problem, kernel, device="cpu")

        def attested(case, excess):
            if case.stats is None:
                return case
            found = Attestation(
                excess=excess * 1e-6, tol=4e-6, excess_mean=0.0, tol_mean=4e-6, ok=True, s_T=1.4e-6, source="default",
                bound=1e-3, attested_to=0.01, harness=c0, harness_clean=c0,
            )  # fmt: skip
            samples = Samples(T=[case.stats.median + c0], E=[case.stats.median], T_null=[c0])
            return replace(
                case, attestation=found, samples=samples, stats=replace(case.stats, resolution=resolution)
            )  # fmt: skip

        made = []
        for excess in excesses:
            report = make_report(job)
            environment = {"before": {"throttle": list(throttle)}, "after": {"throttle": None}}
            cases = [attested(case, excess) for case in report.cases]
            made.append([replace(report, cases=cases, environment=environment)])
        return made

    return make


def test_the_spread_is_the_root_mean_square(sessions):
    reports = sessions([1.0, -1.0, 2.0, 0.0])
    found = evaluate(reports)
    assert found.s_T == pytest.approx(1.5**0.5 * 1e-6)
    assert found.c0 == pytest.approx(310e-6)
    assert found.objections == []
    assert found.rows[0].name == "twice small-fp32"
    assert found.rows[0].excess == pytest.approx([1e-6, -1e-6, 2e-6, 0.0])
    assert found.rows[0].beyond == pytest.approx(1e-3)
    kept = host_file(found, reports, GPU, "580.1")
    assert (kept.uuid, kept.driver, kept.sessions, kept.s_T) == ("GPU-1", "580.1", 4, found.s_T)


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"excesses": [9.0, -9.0]}, "scatters by 9.0 us between sessions, at most 2"),
        ({"c0": 3e-3}, "a call of nothing takes 3000 us, at most 2000"),
        ({"resolution": 0.03}, "resolves 3 % only, 2 % is usual"),
        ({"throttle": ["power cap", "hardware thermal"]}, "the GPU lowered its clocks: hardware thermal"),
    ],
)
def test_what_is_out_of_limits_is_said_in_a_line(sessions, changes, text):
    (line,) = evaluate(sessions(**{"excesses": [1.0, -1.0], **changes})).objections
    assert text in line


def test_a_processor_has_nothing_to_attest(world, problem, kernel, make_report):
    found = evaluate([[make_report(accept_file(world.registry, problem, kernel, device="cpu"))]])
    assert (found.s_T, found.objections) == (None, [])
    assert all(row.excess == [] for row in found.rows)


def test_the_command_prints_what_a_processor_can_tell(world, capsys):
    cli.main(["selftest", "--device", "cpu", "--sessions", "2"], standalone_mode=False)
    assert [job.problem.name for job in world.jobs] == ["clock", "clock"]
    assert all(not job.measure.refuse for job in world.jobs)
    out = capsys.readouterr().out
    assert "clock add_1ki-fp32" in out
    assert "nothing to attest" in out
    assert "T - c0" not in out
    assert "excess" not in out


def test_what_is_attested_has_both_clocks_in_the_table(sessions):
    console = Console(width=120, record=True)
    show(console, evaluate(sessions([1.0, -1.0])))
    shown = console.export_text()
    assert "T - c0  excess per session, us" in shown
    assert "+1.00 -1.00" in shown
    assert "c0  310.0 us" in shown


def test_what_is_not_attested_has_no_calls_of_nothing_beside_it(sessions):
    reports = [
        [replace(report, cases=[replace(case, attestation=None) for case in report.cases]) for report in session]
        for session in sessions([1.0, -1.0])
    ]
    found = evaluate(reports)
    assert found.c0 == pytest.approx(310e-6)
    console = Console(width=120, record=True)
    show(console, found)
    assert "c0" not in console.export_text()


def test_the_command_says_that_packages_are_not_compiled(world, capsys, monkeypatch):
    lack = Availability(ok=False, why="not compiled: torch", fix="python -m compileall somewhere")
    monkeypatch.setattr("kernelbot_core.cli.selftest.check_bytecode", lambda: lack)
    cli.main(["selftest", "--device", "cpu", "--sessions", "2"], standalone_mode=False)
    assert "not compiled: torch  ->  python -m compileall somewhere\n" in capsys.readouterr().out


def test_the_reports_of_all_sessions_can_be_kept(world, tmp_path, make_report):
    device = {"device": {"id": "cpu", "uuid": "GPU-1"}}
    world.answer = lambda job: replace(make_report(job), environment=device)
    path = tmp_path / "raw.json"
    cli.main(["selftest", "--device", "cpu", "--sessions", "2", "--out", str(path)], standalone_mode=False)
    kept = json.loads(path.read_text())
    assert (kept["what"], kept["device"], len(kept["sessions"])) == ("selftest", "cpu", 2)
    ((report,), _) = kept["sessions"]
    assert [case["samples"] for case in report["cases"] if case["kind"] == "bench"]
    assert report["environment"]["device"] == {"id": "cpu", "uuid": ""}
    assert "GPU-1" not in path.read_text()


def test_the_reports_are_kept_when_they_are_objected_to(world, sessions, tmp_path, monkeypatch):
    vendor = SimpleNamespace(check_free=lambda _: Availability(ok=True))
    monkeypatch.setattr("kernelbot_core.cli.selftest.choose_device", lambda *_: (vendor, GPU))
    monkeypatch.setattr("kernelbot_core.cli.selftest.run_sessions", lambda *_, **__: sessions([9.0, -9.0]))
    with pytest.raises(InfrastructureError, match="scatters"):
        cli.main(["selftest", "--out", str(tmp_path / "raw.json")], standalone_mode=False)
    excesses = [
        next(case["attestation"]["excess"] for case in report["cases"] if case["attestation"])
        for (report,) in json.loads((tmp_path / "raw.json").read_text())["sessions"]
    ]
    assert excesses == pytest.approx([9e-6, -9e-6])


def test_what_was_measured_before_a_session_failed_is_kept(world, tmp_path, make_report):
    world.answer = lambda job: make_report(job, status="passed" if len(world.jobs) == 1 else "crashed")
    with pytest.raises(InfrastructureError, match="session 2"):
        cli.main(["selftest", "--device", "cpu", "--out", str(tmp_path / "raw.json")], standalone_mode=False)
    assert len(json.loads((tmp_path / "raw.json").read_text())["sessions"]) == 1


@pytest.mark.parametrize(("name", "text"), [("missing/raw.json", "there is no folder"), ("", "is a folder")])
def test_a_place_that_cannot_be_written_is_refused_before_anything_runs(world, tmp_path, name, text):
    with pytest.raises(UsageError, match=f"^--out .*: {text}"):
        cli.main(["selftest", "--device", "cpu", "--out", str(tmp_path / name)], standalone_mode=False)
    assert world.jobs == []


def test_a_session_that_fails_ends_it_with_one_line(world, make_report):
    world.answer = lambda job: make_report(job, status="crashed", reason="check[add_1ki-fp32]: it died")
    with pytest.raises(InfrastructureError, match=r"session 1: .* ended with crashed: check"):
        cli.main(["selftest", "--device", "cpu"], standalone_mode=False)


def test_the_pack_of_the_selftest_is_sound():
    problem = load_problem(CLOCK)
    assert {cell.size for cell in problem.cells if "cpu" in cell.devices} == {"add_1ki", "add_1mi"}
    assert (CLOCK / "submission.py").is_file()
