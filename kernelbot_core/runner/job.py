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

from kernelbot_core.engine.devices import find_device
from kernelbot_core.errors import InfrastructureError
from kernelbot_core.model.event import Event
from kernelbot_core.model.order import JudgeOrder
from kernelbot_core.model.report import Report, load
from kernelbot_core.model.submission import Job
from kernelbot_core.plugins import Registry
from kernelbot_core.runner.finish import fallen, finish
from kernelbot_core.runner.folder import JobFolder
from kernelbot_core.runner.local import JobRunner
from kernelbot_core.runner.prepare import make_order
from kernelbot_core.runner.sanitized import explained
from kernelbot_core.runner.wire import serve

JUDGE_INI = "[pytest]\n"
GRACE_S = 60.0
PYTEST_ENDED = (0, 1)
"""pytest's exit codes of a session that ran to its end: all passed, some failed."""
REPORT_CAP = 256 << 20


def run_job(registry: Registry, job: Job, on_event: Callable[[Event], None]) -> Report:
    """Judge a job on this machine; once it has started there is always a report.

    :raises InfrastructureError: The device is not free for a trustworthy measurement.
    """
    started = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    began = time.monotonic()
    order = make_order(registry, job)
    vendor, device = find_device(registry, job.device)
    free = vendor.check_free(device)
    if not free.ok and job.mode != "test":  # nothing is timed in a test
        raise InfrastructureError(f"{device.id} cannot be measured on now: {free.why}", free.fix)
    done: list[str] = []

    def heard(event: Event) -> None:
        if event.ok is not None:
            done.append(event.case)
        on_event(event)

    folder = JobFolder(job.id)
    runner = JobRunner(registry, job, folder, heard)
    try:
        before = vendor.sample(device)
        report = explained(_judge(runner, order, folder, done), runner.findings())
        environment = {"before": before, "after": vendor.sample(device), "device": msgspec.to_builtins(device)}
        environment["toolchain"] = registry.languages[job.submission.language].toolchain()
        timings = {"total": time.monotonic() - began}
        ranking = registry.rankings[job.problem.file.ranking.score]
        return finish(
            report, order, ranking, output=runner.output(), environment=environment, timings=timings, started=started
        )
    finally:
        runner.close()
        folder.close()


def _judge(runner: JobRunner, order: JudgeOrder, folder: JobFolder, done: list[str]) -> Report:
    order_file, report_file = folder.judge / "order.json", folder.judge / "report.json"
    order_file.write_bytes(msgspec.json.encode(order))
    (folder.judge / "judge.ini").write_text(JUDGE_INI)
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    for end in (ours, theirs):
        end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 19)
    with ours:
        with theirs:
            command = judge_command(order, order_file, report_file, folder.judge, theirs.fileno())
            limit = order.deadline_s + order.job.limits.build_s + GRACE_S
            number, pidfd = runner.start_judge(
                command, runner.judge_env(judge_environment(folder.judge)), [theirs.fileno()], limit
            )
        serve(ours, pidfd, runner)
    ended = runner.exit(number, GRACE_S) or runner.kill(number, "timeout")
    # A judge that was killed may have left a report that somebody else wrote.
    with contextlib.suppress(OSError, msgspec.MsgspecError):
        if ended.code in PYTEST_ENDED and report_file.stat().st_size <= REPORT_CAP:
            return load(report_file.read_bytes())
    how = ended.killed or (f"signal {ended.signal}" if ended.signal else f"exit code {ended.code}")
    return fallen(order, f"the judge ended with {how} and left no report", ended.output, done)


def judge_command(order: JudgeOrder, order_file: Path, report_file: Path, scratch: Path, fd: int) -> list[str]:
    """A clean pytest: isolated interpreter, no plugins but ours, fixed configuration."""
    return [
        sys.executable, "-I", "-B", "-m", "pytest", "-p", "kernelbot", "-p", "no:cacheprovider",
        "-p", "no:faulthandler",
        "-c", str(scratch / "judge.ini"), "--rootdir", str(scratch), "--confcutdir", str(scratch), "--noconftest",
        "--import-mode=importlib", "-q", "--no-header", "--tb=short",
        f"--kernelbot-order={order_file}", f"--kernelbot-report={report_file}", f"--kernelbot-runner={fd}",
        order.job.problem.path,
    ]  # fmt: skip


def judge_environment(scratch: Path) -> dict[str, str]:
    """Environment from scratch: nothing of the caller's but what finds libraries."""
    env = {
        "PATH": os.environ.get("PATH", "/usr/bin:/bin"), "HOME": str(scratch), "TMPDIR": str(scratch),
        "LANG": "C.UTF-8",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "HYPOTHESIS_STORAGE_DIRECTORY": str(scratch / "hypothesis"),
        "OMP_WAIT_POLICY": "PASSIVE",  # idle threads of the judge must not spin on the cores of the worker
        # Tensors of a few MiB stay in the heap: a fresh mapping would be paged in anew for every call that is compared.
        "MALLOC_MMAP_THRESHOLD_": str(32 << 20), "MALLOC_TRIM_THRESHOLD_": str(1 << 30),
    }  # fmt: skip
    return env | {name: os.environ[name] for name in ("LD_LIBRARY_PATH", "CUDA_HOME") if name in os.environ}
