"""Imports of modules that bring torch along."""

from __future__ import annotations

import gc
import importlib
import sys
from types import ModuleType


def import_heavy(name: str) -> ModuleType:
    """A module, imported while the garbage collector rests, which does not look at it later either.

    What torch makes when it is imported stays as long as the process. To look through it again and again takes a sixth
    of the import, and every later round of the collector, calls that are measured included, would take longer. Not for
    workers: a cheat that looks for the judge's ways among all objects has to find them there and be refused.
    """
    if name in sys.modules:
        return sys.modules[name]
    resting = not gc.isenabled()
    gc.disable()
    try:
        return importlib.import_module(name)
    finally:
        gc.freeze()
        if not resting:
            gc.enable()
