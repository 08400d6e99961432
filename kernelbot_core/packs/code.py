"""Imports a pack's problem.py: in the judge and in the baseline's worker, nowhere else."""

from __future__ import annotations

import importlib.util
import sys
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
        raise PackError(f"{path}: cannot be imported: {type(exc).__name__}: {exc}", "fix the pack") from exc
    finally:
        sys.dont_write_bytecode = writes
    return module
