from __future__ import annotations

import pytest

from kernelbot_core.cli import main
from kernelbot_core.engine.archive import open_store
from kernelbot_core.plugins import registry


@pytest.fixture
def call(world, capsys, monkeypatch):
    """``call("run", ...) -> (exit code, standard output, standard error)``; its store is there, and empty."""
    monkeypatch.delenv("COLUMNS", raising=False)
    open_store(registry(), world.store).close()

    def run(*args):
        with pytest.raises(SystemExit) as caught:
            main([str(arg) for arg in args])
        out, err = capsys.readouterr()
        return caught.value.code, out, err

    return run
