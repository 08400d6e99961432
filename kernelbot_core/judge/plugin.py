"""The judge as a pytest plugin: registered by the door when there is something to judge."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from kernelbot_core.errors import CaseFailure, UserError
from kernelbot_core.judge import fixtures
from kernelbot_core.judge.fixtures import REPORT, RUNNER
from kernelbot_core.judge.items import ORDER, CaseFailed, CaseItem
from kernelbot_core.judge.session import JudgeSession
from kernelbot_core.memory import put
from kernelbot_core.model.order import JudgeOrder
from kernelbot_core.model.report import CaseResult, dump, unreached
from kernelbot_core.packs.code import raised_in
from kernelbot_core.runner.wire import RemoteRunner
from kernelbot_core.text import one_line

CODE = "problem.py"


class JudgePlugin:
    """Hooks of one judge session."""

    def __init__(self, config: pytest.Config, order: JudgeOrder, runner: Any) -> None:
        config.stash[ORDER], config.stash[RUNNER] = order, runner
        config.pluginmanager.register(fixtures, "kernelbot-fixtures")
        self._config = config

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Record the pack's own tests too, and keep failed rows out of pytest-benchmark's JSON."""
        report = yield
        arguments: dict[str, Any] = getattr(item, "funcargs", {})
        if not report.passed and "benchmark" in arguments:
            arguments["benchmark"].has_error = True
        judge = arguments.get("kernelbot_judge")
        if (
            isinstance(judge, JudgeSession)
            and not isinstance(item, CaseItem)
            and (report.when == "call" or report.failed)
        ):
            _record_extra(judge, item, report, call)
        if isinstance(judge, JudgeSession) and isinstance(item, CaseItem) and report.failed:
            _record_stop(judge, item, call)
        return report


def _record_extra(
    judge: JudgeSession, item: pytest.Item, report: pytest.TestReport, call: pytest.CallInfo[None]
) -> None:
    status = "passed" if report.passed else "skipped" if report.skipped else "failed"
    value = call.excinfo.value if call.excinfo else None
    verdict = None if status != "failed" else value.status if isinstance(value, CaseFailure) else "wrong"
    reason = "" if value is None else (str(value).strip().splitlines() or [type(value).__name__])[0]
    judge.recorder.add(
        CaseResult(id=f"extra[{item.name}]", kind="extra", status=status, verdict=verdict, reason=reason)  # type: ignore[arg-type]  # texts
    )


def _record_stop(judge: JudgeSession, item: CaseItem, call: pytest.CallInfo[None]) -> None:
    """A case that ended with an exception and no verdict, as where the pack's code raises: say which, and where."""
    assert call.excinfo is not None
    value = call.excinfo.value
    if isinstance(value, CaseFailed):
        return
    code = item.path.with_name(CODE)
    kind = next(case.kind for case in judge.order.cases if case.id == item.name)
    said = one_line(value.message if isinstance(value, UserError) else call.excinfo.exconly())
    reason = f"the judge stopped: {said}{raised_in(code, value)}"
    judge.recorder.add(unreached(item.name, kind, reason))


def judge_remote(config: pytest.Config, order_file: str, runner_fd: int) -> None:
    """Set this session up as the judge of a runner in another process."""
    order = msgspec.json.decode(Path(order_file).read_bytes(), type=JudgeOrder)
    config.pluginmanager.register(JudgePlugin(config, order, RemoteRunner(runner_fd)), "kernelbot-judge")


def write_report(config: pytest.Config, fd: int) -> bool:
    """Leave what the judge recorded in the memory that the runner reads when the session has ended.

    False where there is nothing, as when it never began.
    """
    report = config.stash.get(REPORT, None)
    if report is not None:
        put(fd, dump(report))
    return report is not None


def leave(session: pytest.Session) -> None:
    """End the judge's process, in which everything is said and closed: taking torch apart costs a job half a second.

    With the exit code of the session, also where nobody reads what it prints: the runner goes by it.
    """
    try:
        session.config.get_terminal_writer().flush()
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(session.exitstatus)
