"""What pytest collects in a pack: one item per case of the manifest, and its own tests. It never walks samples."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from kernelbot_core.judge.cases import judge_case
from kernelbot_core.judge.replay import CLOCK, replay
from kernelbot_core.judge.session import JudgeSession
from kernelbot_core.model.order import JudgeOrder
from kernelbot_core.model.plan import PlannedCase
from kernelbot_core.model.report import CaseResult

ORDER: pytest.StashKey[JudgeOrder] = pytest.StashKey()


class CaseFailed(Exception):  # noqa: N818 - shown as a verdict
    """A case ended badly; its text is all that pytest shows."""

    def __init__(self, result: CaseResult) -> None:
        super().__init__(result.reason)
        self.result = result


class Pack(pytest.Directory):
    """A folder with a problem.toml."""

    def collect(self) -> Iterator[pytest.Collector]:
        if self.config.stash.get(ORDER, None) is not None:
            yield Cases.from_parent(self, path=self.path / "problem.toml", nodeid=self.path.name)
            for extra in sorted(self.path.glob("test_*.py")):
                yield from self.ihook.pytest_collect_file(file_path=extra, parent=self)
        else:
            from kernelbot_core.judge.samples import Samples

            yield Samples.from_parent(self, path=self.path / "problem.toml", nodeid=self.path.name)


class Cases(pytest.File):
    """The manifest."""

    def collect(self) -> Iterator[pytest.Item]:
        order = self.config.stash[ORDER]
        with_table = self.config.pluginmanager.hasplugin("benchmark")
        for planned in order.cases:
            timed = planned.kind == "bench" and not planned.skip and with_table
            item = CaseItem.from_parent(self, name=planned.id, callobj=(_timed if timed else _plain)(planned))
            item.add_marker(pytest.mark.filterwarnings("default"))
            if timed:
                job = order.job
                group = f"{job.problem.name} | {order.device.label} | {job.submission.language}"
                item.add_marker(pytest.mark.benchmark(timer=CLOCK, group=group))
            yield item


class CaseItem(pytest.Function):
    """One case; a function, so that fixtures and pytest-benchmark work."""

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException]) -> Any:  # type: ignore[override]  # as pytest documents it
        if isinstance(excinfo.value, CaseFailed):
            return explain(excinfo.value.result)
        return super().repr_failure(excinfo)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        return self.path, None, self.name


def _plain(planned: PlannedCase) -> Callable[..., None]:
    def case(kernelbot_judge: JudgeSession) -> None:
        settle(kernelbot_judge, planned)

    return case


def _timed(planned: PlannedCase) -> Callable[..., None]:
    def case(kernelbot_judge: JudgeSession, benchmark: Any) -> None:
        result = settle(kernelbot_judge, planned)
        assert result.samples is not None
        seconds = result.samples.T if kernelbot_judge.device.ranks_on == "T" else result.samples.E
        replay(benchmark, seconds)
        benchmark.extra_info.update(extra(result))

    return case


def settle(judge: JudgeSession, planned: PlannedCase) -> CaseResult:
    """Judge a case and turn its result into pytest's terms."""
    result = judge_case(judge, planned)
    if result.status == "skipped":
        pytest.skip(result.reason)
    if result.status == "not_reached":
        pytest.skip(f"not reached: {result.reason}")
    if result.status == "failed":
        raise CaseFailed(result)
    return result


def explain(result: CaseResult) -> str:
    """One paragraph for the participant."""
    lines = [f"{result.verdict}: {result.reason}"]
    if result.error and result.error.example:
        lines.append(f"smallest failing input: {result.error.example}")
    if result.error and result.error.text:
        lines.append(result.error.text)
    return "\n".join(lines)


def extra(result: CaseResult) -> dict[str, float | str | None]:
    """What pytest-benchmark's JSON cannot say by itself."""
    assert result.stats is not None
    more: dict[str, float | str | None] = {"p99": result.stats.p99, "resolution": result.stats.resolution}
    if result.throughput is not None:
        more |= {"speedup": result.throughput.speedup, "bytes_per_s": result.throughput.bytes_per_s}
    return more
