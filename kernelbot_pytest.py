"""The pytest11 door of kernelbot: options, and nothing heavy until one of them is used.

Lies outside the package so that a pytest run of an unrelated project imports nothing of kernelbot.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

CONFLICTS = (("benchmark_disable", "--benchmark-disable"), ("benchmark_cprofile", "--benchmark-cprofile"))


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of ``pytest PACK --submission=FILE``."""
    group = parser.getgroup("kernelbot", "kernelbot: judge a kernel against a problem pack")
    add = group.addoption
    add("--submission", metavar="FILE", help="judge this kernel (write it with '=')")
    add("--kernelbot-device", default="auto", metavar="ID", help="cpu, cuda:0 or auto")
    add("--kernelbot-mode", default="benchmark", choices=("test", "benchmark", "ranked"), help="what is run")
    add("--kernelbot-size", action="append", default=[], metavar="S[,S]", help="only these sizes")
    add("--kernelbot-dtype", action="append", default=[], metavar="D[,D]", help="only these dtypes")
    add("--kernelbot-lang", metavar="L", help="language of the submission")
    add("--kernelbot-seed", type=int, metavar="N", help="public seed instead of the pack's own")
    add("--kernelbot-report", metavar="FILE", help="write the JSON report here")
    add("--kernelbot-order", help="internal: order of a judge whose runner is another process")
    add("--kernelbot-report-fd", type=int, help="internal: sealed memory for the report of such a judge")
    add("--kernelbot-runner", type=int, help="internal: descriptor of that runner")
    add("--kernelbot-conformance", action="store_true", help="check the installed plugins against their interfaces")
    add("--kernelbot-plugin", action="append", default=[], metavar="NAME", help="conformance of these plugins only")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Become a judge, or a conformance run, when asked to."""
    option = config.getoption
    if option("kernelbot_conformance"):
        from kernelbot_core.conformance import plugin

        config.pluginmanager.register(plugin, "kernelbot-conformance")
    if option("kernelbot_order"):
        from kernelbot_core.judge.plugin import judge_remote

        judge_remote(config, option("kernelbot_order"), option("kernelbot_runner"))
    elif option("submission") is not None:
        _refuse_conflicts(config)
        from kernelbot_core.runner.inside import judge_inside

        judge_inside(config)


@pytest.hookimpl(tryfirst=True)
def pytest_collect_directory(path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Take over folders that are problem packs."""
    if (path / "problem.toml").is_file() and (path / "problem.py").is_file():
        from kernelbot_core.judge.items import Pack

        return Pack.from_parent(parent, path=path)
    return None


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write the report; fixtures are finished by now."""
    option = session.config.getoption
    if hasattr(session.config, "workerinput"):
        return
    if option("kernelbot_order"):
        from kernelbot_core.judge.plugin import leave, write_report

        if write_report(session.config, option("kernelbot_report_fd")):
            session.config.add_cleanup(lambda: leave(session))
    elif option("submission") and option("kernelbot_report"):
        from kernelbot_core.runner.inside import write_finished

        write_finished(session.config, option("kernelbot_report"))


def _refuse_conflicts(config: pytest.Config) -> None:
    option: Any = config.getoption
    if not option("submission").strip():  # =$FILE, and no such variable: the samples would pass in its place
        raise pytest.UsageError("--submission names no file: pytest problem_packs/vector_add --submission=FILE")
    if option("numprocesses", None) or option("dist", "no") != "no" or hasattr(config, "workerinput"):
        raise pytest.UsageError("--submission: one judge per device, leave out xdist (-n, --dist)")
    for name, shown in CONFLICTS:
        if option(name, None):
            raise pytest.UsageError(f"--submission: leave out {shown}, it hides or repeats the measured calls")
