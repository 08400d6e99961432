"""The judge's session runs the pack's code and asks for processes: not for as many as it likes."""

import pytest

from kernelbot_core.engine.accept import accept
from kernelbot_core.errors import InfrastructureError
from kernelbot_core.interfaces.sandbox import Exit, Process
from kernelbot_core.runner.folder import JobFolder
from kernelbot_core.runner.local import MOST_ALIVE, JobRunner
from kernelbot_core.settings import Settings

SOURCE = "def solve(a, out, n):\n    out.copy_(a)\n"


class Sleeper(Process):
    """Lives until it is killed."""

    pidfd = 0

    def poll(self):
        return None

    def wait(self, timeout=None):
        return None

    def kill(self, why="asked"):
        return Exit(code=None, signal=9, killed=why)


@pytest.fixture
def runner(world, problem, monkeypatch):
    settings = Settings(sandbox="process", require_sandbox=False)
    job = accept(world.registry, problem, SOURCE, "k.py", settings=settings, lang="torch", device="cpu")
    box = world.registry.sandboxes["process"]
    monkeypatch.setattr(type(box), "start", lambda *_, **__: Sleeper())
    folder = JobFolder(job.id)
    runner = JobRunner(world.registry, job, folder, lambda event: None)
    yield runner
    runner.close()
    folder.close()


def test_no_more_than_so_many_live_at_once(runner):
    started = [runner.spawn("baseline") for _ in range(MOST_ALIVE)]
    with pytest.raises(InfrastructureError, match="processes at once"):
        runner.spawn("baseline")
    runner.kill(started[0].number, "asked")
    started.append(runner.spawn("baseline"))
    for one in started:
        one.control.close()
