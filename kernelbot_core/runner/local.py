"""Starts and ends the processes of one job, each in a sandbox of its own."""

from __future__ import annotations

import contextlib
import os
import socket
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import msgspec

from kernelbot_core.engine.devices import find_device
from kernelbot_core.errors import CaseFailure, InfrastructureError
from kernelbot_core.interfaces.runner import Artifact, Role, Spawned
from kernelbot_core.interfaces.sandbox import MOST_FILES, Exit, Mount, Process, SandboxLimits
from kernelbot_core.model.build import Build, BuildOrder, WorkerOrder
from kernelbot_core.model.event import Event
from kernelbot_core.model.submission import Job
from kernelbot_core.plugins import Registry
from kernelbot_core.runner.bundle import bundle_memory, unpack
from kernelbot_core.runner.folder import BUILD_JSON_CAP, JobFolder
from kernelbot_core.runner.prepare import class_path
from kernelbot_core.runner.visible import PATHS, interpreter, named, packages

OUTPUT_CAP = 1 << 16
MOST_ALIVE = 32
"""Processes of one job at once; a judge whose pack goes wild must not fill the machine."""
MORE_S = 60.0
"""What is not the submission's may live so much longer."""
LONGEST_NAME = 200
"""Bytes: compilers put endings behind it."""
OURS = ("order.json", "build.json", "artifact", "..")
"""Names that mean something where the source lies."""
SO_PASSRIGHTS = 83
"""``asm-generic/socket.h`` of Linux."""
PIDS = 1024
"""Processes and threads: compilers and OpenMP start as many as there are cores, on machines with 128 of them."""


class JobRunner:
    """Implements :class:`kernelbot_core.interfaces.runner.Runner` in this process."""

    def __init__(self, registry: Registry, job: Job, folder: JobFolder, on_event: Callable[[Event], None]) -> None:
        self.job, self.folder = job, folder
        self._on_event = on_event
        self._sandbox = registry.sandboxes[job.sandbox]
        self._language = registry.languages[job.submission.language]
        self._vendor, self._device = find_device(registry, job.device)
        self._sanitizer = self._language.sanitizer(self._device.kind) if job.sanitize else None
        self._processes: list[Process] = []
        self._roles: list[str] = []
        self.exits: dict[int, Exit] = {}
        self._ends = time.monotonic() + job.limits.job_s + job.limits.build_s
        self._bundle = -1
        folder.give("builder", self._source_name, job.submission.source.encode())

    def spawn(self, role: Role) -> Spawned:
        """Start builder, submission or baseline.

        :raises InfrastructureError: It does not start, or too many live already.
        """
        if len(self._processes) - len(self.exits) >= MOST_ALIVE:
            raise InfrastructureError(f"the judge asks for more than {MOST_ALIVE} processes at once", "fix the pack")
        if role == "builder":
            self._forget_bundle()
            self._bundle = bundle_memory()
            number, pidfd = self._start(role, self._builder_command(self._bundle), [self._bundle])
            return Spawned(number, os.dup(pidfd), None)
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        take_no_descriptors(ours)
        with theirs:
            number, pidfd = self._start(role, self._worker_command(role, theirs.fileno()), [theirs.fileno()])
        return Spawned(number, os.dup(pidfd), ours)

    def exit(self, number: int, timeout: float) -> Exit | None:
        """Wait for an end."""
        ended = self._processes[number].wait(timeout)
        return None if ended is None else self._remember(number, ended)

    def kill(self, number: int, why: str) -> Exit:
        """Make an end."""
        return self._remember(number, self._processes[number].kill(why))

    def artifact(self) -> Artifact:
        """Look through what the builder left.

        :raises InfrastructureError: It did not end by itself or by a limit.
        """
        number = self._roles.index("builder")
        ended = self.exits.get(number)
        seconds = ended.seconds if ended else 0.0
        if ended is not None and ended.lost:
            raise InfrastructureError(f"the builder was lost: its {ended.killed}", "run it again")
        if ended is None or ended.code != 0:
            return Artifact(build=Build(ok=False, text=_builder_death(ended)), seconds=seconds)
        try:
            digest = unpack(self._bundle, self.folder.artifact)
            result = self.folder.artifact / "build.json"
            if result.stat().st_size > BUILD_JSON_CAP:
                raise CaseFailure("build_failed", "the build's result is too large")
            build = msgspec.json.decode(result.read_bytes(), type=Build)
        except (CaseFailure, OSError, msgspec.MsgspecError) as exc:
            return Artifact(build=Build(ok=False, text=f"the build left no usable result: {exc}"), seconds=seconds)
        return Artifact(build=build, sha256=digest, seconds=seconds)

    def event(self, event: Event) -> None:
        """Pass progress on."""
        self._on_event(event)

    def start_judge(
        self, command: list[str], env: dict[str, str], fds: list[int], limit: float, cpus: list[int]
    ) -> tuple[int, int]:
        """Start the judge's session beside the others; returns its number and pidfd."""
        limits = SandboxLimits(
            wall_s=limit, memory=64 << 30, pids=PIDS, output=1 << 18, files=MOST_FILES * 3 // 4, cpus=cpus
        )
        return self._start("judge", command, fds, env=env, limits=limits)

    def judge_env(self, env: dict[str, str]) -> dict[str, str]:
        """Environment of the judge, which sees the job's device only."""
        return env | self._vendor.visible_env(self._device)

    def close(self) -> None:
        """End whatever still runs."""
        for number in range(len(self._processes)):
            self.kill(number, "asked")
        self._forget_bundle()

    def output(self) -> tuple[str, bool]:
        """What builder and submission printed, in the order they ended."""
        ours = [e for n, e in sorted(self.exits.items()) if self._roles[n] in ("submission",) and e.output]
        text = "\n".join(e.output for e in ours)
        return text[:OUTPUT_CAP], len(text) > OUTPUT_CAP or any(e.truncated for e in ours)

    def findings(self) -> list[str]:
        """What the memory checker found, when there was one."""
        return self._sanitizer.findings(self.output()[0]) if self._sanitizer is not None else []

    def judge_said(self) -> str:
        """Output of the judge's session, for a report that it could not write."""
        return "\n".join(e.output for n, e in self.exits.items() if self._roles[n] == "judge")

    @property
    def _source_name(self) -> str:
        return file_name(self.job.submission.filename, self._language.suffixes)

    def _forget_bundle(self) -> None:
        if self._bundle >= 0:
            os.close(self._bundle)
        self._bundle = -1

    def _remember(self, number: int, ended: Exit) -> Exit:
        return self.exits.setdefault(number, ended)

    def _start(
        self,
        role: str,
        command: list[str],
        fds: list[int],
        *,
        env: dict[str, str] | None = None,
        limits: SandboxLimits | None = None,
    ) -> tuple[int, int]:
        folder = self.folder.work(role)
        wall = self._wall(role)
        memory = int(self.job.limits.memory_gib * 2**30)
        trace = role == "submission" and self._sanitizer is not None
        limits = limits or SandboxLimits(wall_s=wall, memory=memory, pids=PIDS, output=OUTPUT_CAP, trace=trace)
        env = env or self._environment(role, folder)
        try:
            process = self._sandbox.start(
                command, env=env, folder=str(folder), mounts=self._mounts(role, env), limits=limits, fds=fds
            )
        except OSError as exc:
            raise InfrastructureError(f"cannot start the {role}: {exc}", "see `kernelbot doctor`") from exc
        self._processes.append(process)
        self._roles.append(role)
        return len(self._processes) - 1, process.pidfd

    def _wall(self, role: str) -> float:
        """Seconds that a process may live.

        Those of the submission end before the judge: that they are slow is a verdict then, and not the end of a judge
        without a report.
        """
        left = max(self._ends - time.monotonic(), 0.1)
        return left if role in ("submission", "builder") else left + MORE_S

    def _mounts(self, role: str, env: Mapping[str, str]) -> list[Mount]:
        """What a role may see; the device's nodes are for those who compute on it."""
        classes = [class_path(self._language), self._vendor.worker, self._vendor.judge]
        places = [*interpreter(), *packages(*classes), *named(env), str(self.folder.inbox(role))]
        places += {"submission": [str(self.folder.artifact)], "builder": []}.get(role, [self.job.problem.path])
        nodes = [] if role == "builder" else self._vendor.device_nodes(self._device)
        return [*(Mount(path=place) for place in places), *(Mount(path=node, device=True) for node in nodes)]

    def _environment(self, role: str, folder: Path) -> dict[str, str]:
        env = {
            "PATH": os.environ.get("PATH", "/usr/local/bin:/usr/bin:/bin"), "HOME": str(folder), "TMPDIR": str(folder),
            "LANG": "C.UTF-8", "USER": "judge", "LOGNAME": "judge", "XDG_CACHE_HOME": str(folder / "cache"),
            "TORCHINDUCTOR_CACHE_DIR": str(folder / "inductor"), "TRITON_CACHE_DIR": str(folder / "triton"),
            "CUDA_CACHE_PATH": str(folder / "cuda-cache"), "TORCH_EXTENSIONS_DIR": str(folder / "extensions"),
        }  # fmt: skip
        env |= {name: os.environ[name] for name in PATHS if name in os.environ}
        if role != "builder":
            env |= self._vendor.visible_env(self._device)
        if role != "baseline":
            env |= self._language.environment(self._device.kind)
        if role == "submission" and self._sanitizer is not None:
            env |= self._sanitizer.environment()
        return env

    def _builder_command(self, out: int) -> list[str]:
        job = self.job
        order = BuildOrder(
            language=class_path(self._language), source=self._source_name, problem=job.problem.name,
            signature=job.problem.signature, bindings=job.problem.bindings,
            wanted=job.selection.dtypes or list(job.problem.bindings),
            target=self._vendor.target(self._device),
        )  # fmt: skip
        path = self.folder.give("builder", "order.json", msgspec.json.encode(order))
        return _python("kernelbot_core.worker.builder", str(path), str(out))

    def _worker_command(self, role: Role, fd: int) -> list[str]:
        theirs = role == "submission"
        order = WorkerOrder(
            role=role, language=class_path(self._language) if theirs else "", device=self._vendor.worker,
            index=self._device.index, artifact=str(self.folder.artifact) if theirs else self.job.problem.path,
            signature=self.job.problem.signature, bindings=self.job.problem.bindings,
            sanitize=theirs and self._sanitizer is not None,
        )  # fmt: skip
        path = self.folder.give(role, f"order-{time.monotonic_ns()}.json", msgspec.json.encode(order))
        command = _python("kernelbot_core.worker", str(fd), str(path))
        return self._sanitizer.command(command) if theirs and self._sanitizer is not None else command


def file_name(name: str, suffixes: Sequence[str]) -> str:
    """What the source is called while it is judged: its own name, unless a tool or a file system may stumble over it.

    :param suffixes: Of its language; the first makes the other name.
    """
    own = Path(name).name
    plain = own.isprintable() and own[:1] not in ("", "-", "@") and len(os.fsencode(own)) <= LONGEST_NAME
    return own if plain and own not in OURS else f"submission{suffixes[0] if suffixes else ''}"


def take_no_descriptors(ours: socket.socket) -> None:
    """Refuse descriptors that a worker sends, where the kernel can (6.16 and newer): closing one may take its time."""
    with contextlib.suppress(OSError):
        ours.setsockopt(socket.SOL_SOCKET, SO_PASSRIGHTS, 0)


def _python(module: str, *arguments: str) -> list[str]:
    # Unbuffered: what was printed just before a crash must be there, and -I ignores PYTHONUNBUFFERED.
    return [sys.executable, "-I", "-B", "-u", "-m", module, *arguments]


def _builder_death(ended: Exit | None) -> str:
    if ended is None:
        return "the builder did not run"
    how = ended.killed or (f"signal {ended.signal}" if ended.signal else f"exit code {ended.code}")
    return f"the build ended with {how}\n{ended.output}".strip()
