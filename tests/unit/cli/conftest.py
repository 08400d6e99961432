from __future__ import annotations

import pytest

from kernelbot_core.cli import main


@pytest.fixture
def call(world, capsys):
    """``call("run", ...) -> (exit code, standard output, standard error)``."""

    def run(*args):
        with pytest.raises(SystemExit) as caught:
            main([str(arg) for arg in args])
        out, err = capsys.readouterr()
        return caught.value.code, out, err

    return run
