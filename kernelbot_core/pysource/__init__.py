"""Python submissions: looked at without being run in the builder, loaded as a module of their own in the worker."""

from __future__ import annotations

from kernelbot_core.pysource._build import build_python, offered_dtypes
from kernelbot_core.pysource._imports import installed
from kernelbot_core.pysource._load import load_python

__all__ = ["build_python", "installed", "load_python", "offered_dtypes"]
