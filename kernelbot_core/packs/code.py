"""Imports a pack's problem.py: in the judge and in the baseline's worker, nowhere else."""

from __future__ import annotations

import importlib.util
import sys
import traceback
from pathlib import Path
from types import ModuleType

from kernelbot_core.errors import PackError


def load_code(folder: Path) -> ModuleType:
    """Import ``problem.py`` of a pack under a name of its own, without writing bytecode.

    :raises PackError: There is none, or it cannot be imported.
    """
    path = folder / "problem.py"
    name = f"kernelbot_pack_{folder.name}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None or not path.is_file():
        raise PackError(f"{path}: there is no such file", "see `kernelbot pack check`")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    writes, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        spec.loader.exec_module(module)
    except Exception as exc:  # foreign code: a pack may raise anything
        del sys.modules[name]
        raise PackError(
            f"{path}: cannot be imported: {type(exc).__name__}: {exc}{raised_in(path, exc)}", "fix the pack"
        ) from exc
    finally:
        sys.dont_write_bytecode = writes
    return module


def raised_in(code: Path, exc: BaseException) -> str:
    """`` (problem.py:12)``: the line of a pack's file at which something was raised; empty when it was not there."""
    lines = [frame.lineno for frame in traceback.extract_tb(exc.__traceback__) if Path(frame.filename) == code]
    return f" ({code.name}:{lines[-1]})" if lines else ""
