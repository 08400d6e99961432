"""``pytest PACK --submission=FILE``: the runner lives in the same process as the judge."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest

from kernelbot_core.engine.accept import accept_file
from kernelbot_core.engine.devices import find_device
from kernelbot_core.engine.outfile import check_file, pack_files, write_file
from kernelbot_core.errors import UserError
from kernelbot_core.judge.fixtures import REPORT
from kernelbot_core.judge.plugin import JudgePlugin
from kernelbot_core.model.order import JudgeOrder
from kernelbot_core.model.report import dump
from kernelbot_core.packs.load import load_problem
from kernelbot_core.plugins import Registry, registry
from kernelbot_core.runner.finish import finish
from kernelbot_core.runner.folder import JobFolder
from kernelbot_core.runner.local import JobRunner
from kernelbot_core.runner.prepare import make_order

REPORT_OPTION = "--kernelbot-report"
INSIDE: pytest.StashKey[Inside] = pytest.StashKey()


class Inside:
    """Runner and order of a local session."""

    def __init__(self, found: Registry, order: JudgeOrder) -> None:
        self.registry, self.order = found, order
        self.folder = JobFolder(order.job.id)
        self.runner = JobRunner(found, order.job, self.folder, lambda _: None)
        self.started = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
        self.vendor, self.device = find_device(found, order.job.device)
        self.before = self.vendor.sample(self.device)

    def close(self) -> None:
        """End every process and remove the scratch folder."""
        self.runner.close()
        self.folder.close()


def judge_inside(config: pytest.Config) -> None:
    """Set this session up as judge and runner.

    :raises pytest.UsageError: With the one line that the command line would give.
    """
    try:
        inside = _inside(config)
    except UserError as exc:
        raise pytest.UsageError(f"{exc.message}\n{exc.hint}".strip()) from None
    config.stash[INSIDE] = inside
    config.add_cleanup(inside.close)
    config.pluginmanager.register(JudgePlugin(config, inside.order, inside.runner), "kernelbot-judge")


def write_finished(config: pytest.Config, path: str) -> None:
    """Complete the report and write it."""
    report, inside = config.stash.get(REPORT, None), config.stash[INSIDE]
    if report is None:
        return
    ranking = inside.registry.rankings[inside.order.job.problem.file.ranking.score]
    environment = {"before": inside.before, "after": inside.vendor.sample(inside.device)}
    done = finish(
        report, inside.order, ranking, output=inside.runner.output(), environment=environment, timings={},
        started=inside.started,
    )  # fmt: skip
    write_file(REPORT_OPTION, Path(path), dump(done))


def _inside(config: pytest.Config) -> Inside:
    option = config.getoption
    packs = [Path(arg) for arg in config.args if (Path(arg) / "problem.toml").is_file()]
    if len(packs) != 1:
        raise pytest.UsageError(
            "--submission needs exactly one pack: pytest problem_packs/vector_add --submission=FILE"
        )
    found, problem, file = registry(), load_problem(packs[0].resolve()), Path(option("submission"))
    if option("kernelbot_report"):
        check_file(REPORT_OPTION, Path(option("kernelbot_report")), file, *pack_files(problem))
    job = accept_file(
        found, problem, file, lang=option("kernelbot_lang"),
        device=option("kernelbot_device"), mode=option("kernelbot_mode"), sizes=_list(option("kernelbot_size")),
        dtypes=_list(option("kernelbot_dtype")), seed=option("kernelbot_seed"),
    )  # fmt: skip
    return Inside(found, make_order(found, job))


def _list(values: list[str]) -> list[str]:
    return [part for value in values for part in value.split(",") if part]
