"""What doctor says where root that may not mount has its environment in a private folder."""

import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace

import pytest

from kernelbot_core import Availability
from kernelbot_sandbox_bwrap import BwrapSandbox, _find, _fix, _mode, _reach, _sandbox


@pytest.fixture
def env():
    """An environment whose folders everybody may enter, in a home with a space in its name."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:  # pytest's own folders are closed
        made = Path(folder, "a home/.venv")
        (made / "bin").mkdir(parents=True)
        for path in (Path(folder), made.parent, made, made / "bin"):
            path.chmod(0o755)
        (made / "bin/python").touch(0o755)
        yield made


def test_what_everybody_may_enter_is_reached(env):
    assert _reach.unreachable([str(env), str(env / "bin/python"), "/usr"]) is None
    env.parent.chmod(0o711)
    assert _reach.unreachable([str(env)]) is None, "a folder above needs to be entered, not read"


@pytest.mark.parametrize("rights", [0o700, 0o750, 0o754])
def test_a_closed_folder_above_is_named_with_the_way_out(env, rights):
    env.parent.chmod(rights)
    found = _reach.unreachable(["/usr", str(env)])
    assert not found.ok
    assert found.why.startswith(f"{env} is not reached: {env.parent} is closed to others")
    assert "/opt" in found.fix


@pytest.mark.parametrize("rights", [0o700, 0o711])
def test_a_closed_environment_is_opened_by_its_fix(env, rights):
    env.chmod(rights)
    (env / "bin").chmod(0o700)
    found = _reach.unreachable([str(env)])
    assert shlex.split(found.fix) == ["chmod", "-R", "go+rX", str(env)]
    subprocess.run(found.fix, shell=True, check=True)
    assert _reach.unreachable([str(env), str(env / "bin")]) is None


def test_links_are_followed(env, tmp_path):
    (tmp_path / "link").symlink_to(env / "bin/python")
    places = _reach.places(str(tmp_path / "link"))
    assert {str(tmp_path / "link"), str(env / "bin/python"), sys.prefix, os.path.realpath(sys.base_prefix)} <= {*places}


@pytest.mark.parametrize("mode", ["root", "user", "drop"])
def test_only_where_bubblewrap_itself_runs_as_somebody_else(monkeypatch, mode):
    said = Availability(ok=False, why="not reached", fix="move it")
    monkeypatch.setattr(_mode, "mode", lambda: mode)
    monkeypatch.setattr(_find, "find", lambda: SimpleNamespace(path="/usr/bin/bwrap"))
    monkeypatch.setattr(_fix, "before_trial", lambda found: None)
    monkeypatch.setattr(_reach, "unreachable", lambda places: said)
    monkeypatch.setattr(BwrapSandbox, "start", lambda self, *a, **k: SimpleNamespace(wait=lambda: None))
    here = _sandbox._available.__wrapped__()
    assert (here is said) == (mode == "drop")
