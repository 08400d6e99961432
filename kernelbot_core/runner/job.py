"""Runs one job from order to report: the judge as a process of its own, beside builder and workers."""

from __future__ import annotations

import contextlib
import datetime
import os
import socket
import sys
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from kernelbot_core.engine.devices import find_device, require_free
from kernelbot_core.memory import sealed_memfd, taken
from kernelbot_core.model.event import Event
from kernelbot_core.model.order import JudgeOrder
from kernelbot_core.model.report import Report, load
from kernelbot_core.model.submission import Job
from kernelbot_core.plugins import Registry
from kernelbot_core.runner.cores import apart
from kernelbot_core.runner.finish import fallen, finish
from kernelbot_core.runner.folder import JobFolder
from kernelbot_core.runner.local import JobRunner
from kernelbot_core.runner.prepare import make_order
from kernelbot_core.runner.sanitized import explained
from kernelbot_core.runner.visible import PATHS
from kernelbot_core.runner.wire import serve

JUDGE_INI = b"[pytest]\n"
GRACE_S = 60.0
PYTEST_ENDED = (0, 1)
"""pytest's exit codes of a session that ran to its end: all passed, some failed."""
REPORT_CAP = 32 << 20


def run_job(registry: Registry, job: Job, on_event: Callable[[Event], None]) -> Report:
    """Judge a job on this machine; once it has started there is always a report.

    :raises InfrastructureError: The device is not free for a trustworthy measurement.
    """
    started = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    began = time.monotonic()
    order = make_order(registry, job)
    vendor, device = find_device(registry, job.device)
    if job.mode != "test":  # nothing is timed in a test
        require_free(vendor, device)
    done: list[str] = []

    def heard(event: Event) -> None:
        if event.ok is not None:
            done.append(event.case)
        on_event(event)

    with contextlib.ExitStack() as ends:
        before = vendor.sample(device)
        with apart(vendor.own_core and job.mode != "test", *vendor.place(device)) as cpus:
            folder = ends.enter_context(contextlib.closing(JobFolder(job.id)))  # starts a process: not earlier
            runner = ends.enter_context(contextlib.closing(JobRunner(registry, job, folder, heard)))
            report = explained(_judge(runner, order, folder, done, cpus), runner.findings())
        environment = {"before": before, "after": vendor.sample(device), "device": msgspec.to_builtins(device)}
        environment["toolchain"] = registry.languages[job.submission.language].toolchain()
        timings = {"total": time.monotonic() - began}
        ranking = registry.rankings[job.problem.file.ranking.score]
        return finish(
            report, order, ranking, output=runner.output(), environment=environment, timings=timings, started=started
        )


def _judge(runner: JobRunner, order: JudgeOrder, folder: JobFolder, done: list[str], cpus: list[int]) -> Report:
    order_file = folder.give("judge", "order.json", msgspec.json.encode(order))
    ini = folder.give("judge", "judge.ini", JUDGE_INI)
    scratch, report_fd = folder.work("judge"), sealed_memfd("kernelbot-report", REPORT_CAP)
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    for end in (ours, theirs):
        end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 19)
    try:
        with ours:
            with theirs:
                fds = [theirs.fileno(), report_fd]
                command = judge_command(order, order_file, ini, scratch, *fds)
                limit = order.deadline_s + order.job.limits.build_s + GRACE_S
                env = runner.judge_env(judge_environment(scratch))
                number, pidfd = runner.start_judge(command, env, fds, limit, cpus)
            serve(ours, pidfd, runner)
        ended = runner.exit(number, GRACE_S) or runner.kill(number, "timeout")
        # A judge that was killed may have left half a report.
        with contextlib.suppress(msgspec.MsgspecError):
            if ended.code in PYTEST_ENDED:
                return load(bytes(taken(report_fd)))
    finally:
        os.close(report_fd)
    how = ended.killed or (f"signal {ended.signal}" if ended.signal else f"exit code {ended.code}")
    return fallen(order, f"the judge ended with {how} and left no report", ended.output, done)


def judge_command(
    order: JudgeOrder, order_file: Path, ini: Path, scratch: Path, runner_fd: int, report_fd: int
) -> list[str]:
    """A clean pytest: isolated interpreter, no plugins but ours, fixed configuration."""
    return [
        sys.executable, "-I", "-B", "-m", "pytest", "-p", "kernelbot", "-p", "no:cacheprovider",
        "-p", "no:faulthandler",
        "-c", str(ini), "--rootdir", str(scratch), "--confcutdir", str(scratch), "--noconftest",
        "--import-mode=importlib", "-q", "--no-header", "--tb=short",
        f"--kernelbot-order={order_file}", f"--kernelbot-report-fd={report_fd}", f"--kernelbot-runner={runner_fd}",
        order.job.problem.path,
    ]  # fmt: skip


def judge_environment(scratch: Path) -> dict[str, str]:
    """Environment from scratch: nothing of the caller's but what finds libraries."""
    env = {
        "PATH": os.environ.get("PATH", "/usr/bin:/bin"), "HOME": str(scratch), "TMPDIR": str(scratch),
        "LANG": "C.UTF-8", "USER": "judge", "LOGNAME": "judge",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "HYPOTHESIS_STORAGE_DIRECTORY": str(scratch / "hypothesis"),
        "OMP_WAIT_POLICY": "PASSIVE",  # idle threads of the judge must not spin on the cores of the worker
        # Tensors of a few MiB stay in the heap: a fresh mapping would be paged in anew for every call that is compared.
        "MALLOC_MMAP_THRESHOLD_": str(32 << 20), "MALLOC_TRIM_THRESHOLD_": str(1 << 30),
    }  # fmt: skip
    return env | {name: os.environ[name] for name in PATHS if name in os.environ}
