"""A real registry, a real pack, real processes; small limits, so that what hangs ends soon."""

import os
import tempfile
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


@pytest.fixture
def nothing_left(tmp_path, monkeypatch, processes_of):
    """Fail when a process or a scratch folder of the test's own jobs is still there afterwards.

    Every process of a job inherits the scratch folder in its environment, or has it in its command line; one that was
    forked off into a session of its own and handed to init does too.
    """
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    yield
    assert processes_of(scratch) == []
    assert [path.name for path in scratch.iterdir() if path.is_dir()] == []


@pytest.fixture
def processes_of():
    """``processes_of(folder)`` -> (process id, command line) of all processes that know the folder."""
    return _processes_of


def _processes_of(scratch):
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                line, environment = (entry / "cmdline").read_bytes(), (entry / "environ").read_bytes()
            except OSError:
                continue
            if os.fsencode(scratch) in line + environment:
                found.append((int(entry.name), line))
    return found


collect_ignore = ["hostile"]
