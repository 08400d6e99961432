"""A real registry, a real pack, real processes; small limits, so that what hangs ends soon."""

import os
from pathlib import Path

import pytest

from kernelbot_core.engine.accept import accept_file
from kernelbot_core.engine.run import run_job
from kernelbot_core.model.problem import Limits
from kernelbot_core.packs.find import resolve
from kernelbot_core.plugins import registry
from kernelbot_core.settings import Settings

TIGHT = Limits(build_s=8, call_s=2, job_s=60, memory_gib=3)


@pytest.fixture
def judged():
    """Judge a file against vector_add on the processor, smallest cell."""

    def judge(file, *, mode="test", dtypes=("fp32",), limits=TIGHT, sizes=("small",), problem="vector_add"):
        import msgspec

        found = registry()
        pack = resolve(problem, found.pack_sources)
        job = accept_file(
            found,
            pack,
            Path(file),
            settings=Settings(),
            device="cpu",
            mode=mode,
            sizes=sizes,
            dtypes=dtypes,
            lang="torch",
        )
        return run_job(found, msgspec.structs.replace(job, limits=limits))

    return judge


def descendants():
    """Process ids of everything that this process or its orphans have started for kernelbot."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                line = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if b"_supervise.py" in line or b"kernelbot_core.worker" in line:
                found.append((int(entry.name), line))
    return found


@pytest.fixture
def nothing_left():
    """Fail when a process of the test's own jobs is still there afterwards."""
    before = {pid for pid, _ in descendants()}
    yield
    mine = [(pid, line) for pid, line in descendants() if pid not in before and _below(pid)]
    assert mine == []


def _below(pid):
    """Whether a process descends from this one."""
    while pid > 1:
        try:
            pid = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            return False
        if pid == os.getpid():
            return True
    return False
