"""The escape suite: the same attempts without a sandbox, and in it as root and as an ordinary user."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from bait import bait
from ordinary import as_ordinary

MODES = ["root", "user"] if os.geteuid() == 0 else ["user"]
TABLE = pytest.StashKey()


def pytest_configure(config):
    config.stash[TABLE] = {}


def pytest_generate_tests(metafunc):
    if "mode" in metafunc.fixturenames:
        metafunc.parametrize("mode", MODES, scope="session")


@pytest.fixture(scope="session")
def world():
    with bait() as made:
        yield made


@pytest.fixture(scope="session")
def boxed(world):
    """``boxed(mode, name=None, limits={})`` -> what the driver printed."""

    def run(mode, name=None, limits=None):
        spec = {"world": world, "limits": limits or {}, "name": [name] if name else []}
        command = [sys.executable, "-P", str(HERE / "drive.py"), json.dumps(spec)]
        how = as_ordinary if mode == "user" else subprocess.run
        env = {**os.environ, "JUDGE_TOKEN": world["token"]}
        with open(world["secret"]) as inherited:
            ran = how(
                command, env=env, capture_output=True, text=True, check=False, timeout=180,
                pass_fds=[inherited.fileno()],
            )  # fmt: skip
        assert ran.returncode == 0, ran.stderr
        said = json.loads(ran.stdout)
        if "unavailable" in said:
            pytest.skip(f"NO SANDBOX in mode {mode}: {said['unavailable']}")
        return said

    return run


@pytest.fixture(scope="session")
def escapes(boxed, request):
    """``escapes(mode)`` -> attempt -> OUT, held or n/a."""
    table = request.config.stash[TABLE]

    def of(mode):
        if mode not in table:
            said = boxed(mode)
            assert said["exit"]["code"] == 0, said
            table[mode] = json.loads(said["exit"]["output"])
        return table[mode]

    return of


@pytest.fixture(scope="session")
def control(world, request, tmp_path_factory):
    """The same without a sandbox, as an ordinary user."""
    command = [sys.executable, "-I", "-S", "-B", str(HERE / "probe"), json.dumps(world)]
    env = {"PATH": "/usr/bin:/bin", "JUDGE_TOKEN": world["token"]}
    with open(world["secret"]) as inherited:
        ran = as_ordinary(
            command, env=env, cwd=Path(world["bait"]).parent, capture_output=True, text=True, check=False,
            timeout=180, pass_fds=[inherited.fileno()],
        )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    request.config.stash[TABLE]["bare"] = json.loads(ran.stdout)
    return request.config.stash[TABLE]["bare"]


def pytest_terminal_summary(terminalreporter, config):
    table = config.stash.get(TABLE, {})
    if not table:
        return
    columns = [name for name in ("bare", "root", "user") if name in table]
    line = terminalreporter.write_line
    line("")
    line(f"{'attempt':34s}" + "".join(f"{name:>8s}" for name in columns))
    for name in next(iter(table.values())):
        line(f"{name:34s}" + "".join(f"{table[column].get(name, '-'):>8s}" for column in columns))
    counts = [sum(word == "OUT" for word in table[column].values()) for column in columns]
    line(f"{'got out, of ' + str(len(next(iter(table.values())))):34s}" + "".join(f"{n:8d}" for n in counts))
