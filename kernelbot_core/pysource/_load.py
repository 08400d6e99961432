"""A Python artifact as a module of the worker."""

from __future__ import annotations

import io
import linecache
import sys
import types
from pathlib import Path

from kernelbot_core.interfaces.language import Solve
from kernelbot_core.model.build import Build

MODULE = "submission"


def load_python(artifact: Path, build: Build) -> Solve:
    """Execute the file once per process and return its ``solve``.

    The code carries the participant's own file name, so tracebacks read ``k.py, line 7``; the source is handed to
    :mod:`linecache`, and the module stands in :data:`sys.modules`, because dataclasses, ``inspect.getsource``,
    ``triton.jit`` and Dynamo look there. Raises whatever the file raises.
    """
    path = artifact / build.entry
    module = sys.modules.get(MODULE)
    if module is None or module.__file__ != str(path):
        module = _execute(path)
    solve = getattr(module, "solve", None)
    if not callable(solve):
        raise TypeError(f"solve in {path.name} is {solve!r}, which cannot be called")
    result: Solve = solve
    return result


def _execute(path: Path) -> types.ModuleType:
    name, text = path.name, path.read_bytes().decode(errors="replace")
    # no modification time: linecache then keeps the entry although no such file lies in the working folder
    # and lines end where they do for the compiler: not at a form feed or one of Unicode's separators
    linecache.cache[name] = (len(text), None, list(io.StringIO(text, newline=None)), name)
    module = types.ModuleType(MODULE)
    module.__file__ = str(path)
    sys.modules[MODULE] = module
    try:
        exec(compile(text, name, "exec", dont_inherit=True), module.__dict__)  # text: see build_python
    except BaseException:  # whatever it was, half a module must not stay importable
        del sys.modules[MODULE]
        raise
    return module
