"""A desk with the built-in packs and an executor that follows a script; no Discord yet."""

from __future__ import annotations

import contextlib
from types import SimpleNamespace

import pytest

from kernelbot_bot.desk import open_desk
from kernelbot_bot.settings import BotSettings
from kernelbot_core import hookimpl
from kernelbot_core.plugins import load_registry, use_registry
from kernelbot_core.scripted import ScriptedExecutor, passed_report
from kernelbot_core.settings import load_settings

KERNEL = "#!kernelbot problem vector_add\nimport torch\n\n\ndef solve(a, b, out, n):\n    torch.add(a, b, out=out)\n"
GUILD = 1


def kernel(number=0):
    """A kernel whose artifact is one of its own."""
    return KERNEL.replace("torch.add(a, b, out=out)", f"torch.add(a, b, out=out), {number}")


@pytest.fixture
def script():
    """``script.answer(job)`` is what the executor says; ``script.jobs`` what it was given; ``script.gate`` holds it."""
    return SimpleNamespace(answer=passed_report, jobs=[], gate=contextlib.nullcontext())


@pytest.fixture
def registry(script):
    class Scripted(ScriptedExecutor):
        """Follows the script."""

        @staticmethod
        def answer(job):
            script.jobs.append(job)
            with script.gate:
                return script.answer(job)

    class Plugin:
        """Brings it."""

        @hookimpl
        def kernelbot_register_executors(self):
            return [Scripted]

        @hookimpl(tryfirst=True)
        def kernelbot_select_executor(self):
            return "scripted"

    with use_registry(load_registry([Plugin()])) as found:
        yield found


@pytest.fixture
def settings(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KERNELBOT_STORE", f"tinydb://{tmp_path}/store")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return load_settings()


@pytest.fixture
def options(tmp_path):
    return BotSettings(
        state=tmp_path / "bot.sqlite", packs=tmp_path / "approved", edit_every_s=0.0, drain_s=5.0, board_every_s=0.0
    )


@pytest.fixture
def desk(registry, settings, options):
    return open_desk(registry, settings, state=options.state, packs=options.packs)
