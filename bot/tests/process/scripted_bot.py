"""``kernelbot bot`` with an executor that takes ``SCRIPT_SECONDS`` for a job and appends its id to ``SCRIPT_LOG``."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from kernelbot_core import hookimpl
from kernelbot_core.cli import main
from kernelbot_core.plugins import load_registry, use_registry
from kernelbot_core.scripted import ScriptedExecutor, passed_report


class Scripted(ScriptedExecutor):
    """Slow, and keeps a list."""

    @staticmethod
    def answer(job):
        with Path(os.environ["SCRIPT_LOG"]).open("a") as file:
            file.write(f"{job.id}\n")
        time.sleep(float(os.environ["SCRIPT_SECONDS"]))
        return passed_report(job)


class Plugin:
    """Brings it."""

    @hookimpl
    def kernelbot_register_executors(self):
        return [Scripted]

    @hookimpl(tryfirst=True)
    def kernelbot_select_executor(self):
        return "scripted"


with use_registry(load_registry([Plugin()])):
    main(["bot", *sys.argv[1:]])
