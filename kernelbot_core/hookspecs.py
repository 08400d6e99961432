"""Every hook there is. Nouns are registered as classes, moments are hooks; each hook below has a caller."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pluggy

if TYPE_CHECKING:
    import click

    from kernelbot_core.interfaces.device import DeviceVendor
    from kernelbot_core.interfaces.executor import Executor
    from kernelbot_core.interfaces.language import Language
    from kernelbot_core.interfaces.packs import PackSource
    from kernelbot_core.interfaces.ranking import Ranking
    from kernelbot_core.interfaces.sandbox import Sandbox
    from kernelbot_core.interfaces.store import Store
    from kernelbot_core.model.entry import Entry
    from kernelbot_core.model.problem import Problem
    from kernelbot_core.model.report import Report
    from kernelbot_core.model.submission import Job, Submission

PROJECT = "kernelbot"
hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)


# --- register: all results are collected; one name claimed twice is an error that names both classes -----------------


@hookspec
def kernelbot_register_languages() -> Sequence[type[Language]]:
    """Bring languages.

    :returns: Classes; each is instantiated without arguments.

    Runs in: controller.
    """
    raise AssertionError  # a specification is never called


@hookspec
def kernelbot_register_devices() -> Sequence[type[DeviceVendor]]:
    """Bring kinds of hardware.

    :returns: Controller-side classes; they name their judge and worker halves.

    Runs in: controller.
    """
    raise AssertionError


@hookspec
def kernelbot_register_sandboxes() -> Sequence[type[Sandbox]]:
    """Bring sandbox backends.

    :returns: Classes, instantiated without arguments.

    Runs in: controller | runner.
    """
    raise AssertionError


@hookspec
def kernelbot_register_executors() -> Sequence[type[Executor]]:
    """Bring places where jobs can run.

    :returns: Classes, instantiated without arguments.

    Runs in: controller.
    """
    raise AssertionError


@hookspec
def kernelbot_register_stores() -> Sequence[type[Store]]:
    """Bring stores, chosen by URL scheme.

    :returns: Classes, instantiated with the URL.

    Runs in: controller.
    """
    raise AssertionError


@hookspec
def kernelbot_register_rankings() -> Sequence[type[Ranking]]:
    """Bring ways to score and order, named by ``ranking.score`` in problem.toml.

    :returns: Classes, instantiated without arguments.

    Runs in: controller | judge.
    """
    raise AssertionError


@hookspec
def kernelbot_register_problem_packs() -> Sequence[PackSource]:
    """Say where problem packs lie.

    :returns: Folders whose sub-folders are packs. Only problem.toml is read; no pack code is imported.

    Runs in: controller.
    """
    raise AssertionError


@hookspec
def kernelbot_register_commands(cli: click.Group) -> None:
    """Add commands to the ``kernelbot`` command line.

    :param cli: The top-level group; a name that is taken is an error.

    Runs in: controller.
    """


@hookspec
def kernelbot_register_bot_extensions() -> Sequence[str]:
    """Add commands, buttons and listeners to the Discord bot.

    :returns: Names of modules that are discord.py extensions: each has ``async def setup(bot)``. Import discord there
        and not in the module that holds this hook.

    Runs in: controller.
    """
    raise AssertionError


# --- choose: the first answer wins; the default comes last ----------------------------------------------------------


@hookspec(firstresult=True)
def kernelbot_select_executor(job: Job, executors: Sequence[Executor]) -> str | None:
    """Choose where a job runs.

    :param job: The job, complete.
    :param executors: Those that are available.
    :returns: The name of one, or None to let another plugin decide.

    Runs in: controller.
    """


@hookspec(firstresult=True)
def kernelbot_select_sandbox(sandboxes: Sequence[Sandbox]) -> str | None:
    """Choose the sandbox of a job.

    :param sandboxes: Those that are available here.
    :returns: The name of one, or None; by default the one with the most guarantees.

    Runs in: controller.
    """


# --- object: all answers are collected, any objection counts --------------------------------------------------------


@hookspec
def kernelbot_check_source(submission: Submission, problem: Problem) -> Sequence[str]:
    """Object to a submission before it runs.

    :param submission: Its text has not been executed and must not be.
    :returns: One line for each objection, fit for the participant; any of them refuses the submission.

    Runs in: controller.
    """
    raise AssertionError


@hookspec
def kernelbot_check_report(job: Job, report: Report) -> Sequence[str]:
    """Object to a report before it is recorded (faster than physics, clocks dropped ...).

    :returns: One line for each objection; any of them keeps the entry off the board.

    Runs in: controller.
    """
    raise AssertionError


# --- notify: called one plugin at a time; one that raises is logged, the others run ---------------------------------


@hookspec
def kernelbot_before_run(job: Job) -> None:
    """Hear that a job is about to run.

    Runs in: controller.
    """


@hookspec
def kernelbot_after_run(job: Job, report: Report) -> None:
    """Hear that a job has ended, whatever its status.

    Runs in: controller.
    """


@hookspec
def kernelbot_leaderboard_changed(problem: Problem, entry: Entry, rank: int) -> None:
    """Hear that an entry was added to a board or got another run.

    :param rank: Its place on the overall board of the problem's first dtype.

    Runs in: controller.
    """
