"""A process with a dispatcher whose executor answers from a folder, and which stops dead where it is told to.

``killed.py STORE PACKS REPORTS WHERE``; WHERE is ``run`` (while the job runs), ``check`` (the verdict is safe, and the
store knows nothing), ``changed`` (the store has it, the queue does not know that), or ``nowhere``.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from kernelbot_core import Availability, Executor, PackSource, hookimpl
from kernelbot_core.engine.queue import Dispatcher, open_queue, tickets
from kernelbot_core.model.report import load
from kernelbot_core.plugins import load_registry, use_registry

STORE, PACKS, REPORTS, WHERE = sys.argv[1:]


def halt(where):
    """Say where, and stay there until somebody kills us."""
    if where == WHERE:
        sys.stdout.write(f"{where}\n")
        sys.stdout.flush()
        time.sleep(3600)


class Scripted(Executor):
    """Reads the report that the test has written; leaves a line for each run."""

    name = "scripted"

    def available(self):
        return Availability(ok=True)

    def capacity(self):
        return 1

    def run(self, job, on_event):
        with Path(REPORTS, "runs.txt").open("a") as file:
            file.write(f"{job.id}\n")
        halt("run")
        return load(Path(REPORTS, f"{job.id}.json").read_bytes())


class Plugin:
    """Halts at two places between verdict and end."""

    @hookimpl
    def kernelbot_register_executors(self):
        return [Scripted]

    @hookimpl
    def kernelbot_register_problem_packs(self):
        return [PackSource(name="mine", folder=Path(PACKS))]

    @hookimpl
    def kernelbot_select_executor(self):
        return "scripted"

    @hookimpl
    def kernelbot_check_report(self):
        halt("check")
        return []

    @hookimpl
    def kernelbot_leaderboard_changed(self):
        halt("changed")


def main():
    with use_registry(load_registry([Plugin()])) as registry:
        queue = open_queue(registry, STORE)
        dispatcher = Dispatcher(queue, ["cpu"])
        dispatcher.start()
        while tickets(queue):
            time.sleep(0.02)
        dispatcher.stop()


if __name__ == "__main__":
    main()
