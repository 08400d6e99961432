"""One real job, as a person runs it, below a scratch folder of its own; and its end by kill -9."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from kills.kinds import of_job

SAMPLE = Path(__file__).parents[3] / "problem_packs/vector_add/samples/right/torch_add.py"
STEP_S = 0.01
LONG_S = 300.0


@dataclass
class Job:
    """``kernelbot run`` on the smallest cell, and every process that was seen below it."""

    popen: subprocess.Popen[bytes]
    front_end: psutil.Process
    began: float
    said: Path
    pids: set[int] = field(default_factory=set)
    lives: dict[str, tuple[float, float]] = field(default_factory=dict)
    """First and last time that a kind was seen, seconds after the start."""

    def look(self) -> dict[str, list[psutil.Process]]:
        """The living processes, and when."""
        found, now = of_job(self.front_end), time.monotonic() - self.began
        for kind, processes in found.items():
            if processes:
                self.lives[kind] = (self.lives.get(kind, (now, now))[0], now)
                self.pids |= {process.pid for process in processes}
        return found

    @property
    def over(self) -> bool:
        """The front end has ended."""
        return self.popen.poll() is not None

    def wait(self) -> int:
        """Its exit code; a job that hangs is a finding, and is ended."""
        while not self.over:
            if time.monotonic() - self.began > LONG_S:
                self.popen.terminate()
                raise TimeoutError(f"a job did not end within {LONG_S:.0f} s")
            self.look()
            time.sleep(STEP_S)
        return self.popen.returncode

    def text(self) -> str:
        """What it said."""
        return self.said.read_text(errors="replace")


def start(scratch: Path, mode: str, sandbox: str) -> Job:
    """Start a job whose temporary files lie in ``scratch``; what it says goes beside that folder."""
    command = [sys.executable, "-m", "kernelbot_core", "run", "vector_add", str(SAMPLE), "--device", "cpu"]
    command += ["--size", "small", "--dtype", "fp32", "--mode", mode]
    command += ["--unsafe"] if sandbox == "process" else ["--sandbox", sandbox]
    said = scratch.with_suffix(".txt")
    with said.open("wb") as out:
        popen = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=out, stderr=out, env=os.environ | {"TMPDIR": str(scratch)}
        )
    return Job(popen, psutil.Process(popen.pid), time.monotonic(), said)


def lives(scratch: Path, mode: str, sandbox: str) -> dict[str, float]:
    """How long each kind of process lives in a job that nobody disturbs, seconds."""
    job = start(scratch, mode, sandbox)
    if job.wait() != 0:
        raise RuntimeError(f"an undisturbed job does not pass: {job.text()[-2000:]}")
    return defaultdict(float, {kind: last - first for kind, (first, last) in job.lives.items()})


def kill_one(job: Job, kind: str, life: float, rng: random.Random) -> float | None:
    """Kill a process of the kind at a random moment of its life.

    :param life: Seconds that it is expected to live.
    :returns: Seconds after its appearance, or None when the job had ended before.
    """
    moment = rng.uniform(0, life)
    while not job.over:
        found = job.look()[kind]
        first = job.lives.get(kind, (float("inf"),))[0]
        if found and time.monotonic() - job.began - first >= moment:
            try:
                rng.choice(found).kill()  # psutil looks at the start time first: never a process that took the number
            except psutil.NoSuchProcess:
                continue
            return time.monotonic() - job.began - first
        time.sleep(STEP_S)
    return None
