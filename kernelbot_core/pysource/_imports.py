"""Imports that cannot succeed, found before a worker starts."""

from __future__ import annotations

import ast
import importlib.metadata
import importlib.util
from collections.abc import Iterator

SHOWN = ("torch", "triton", "numpy", "cupy-cuda12x", "cupy-cuda13x", "cuda-bindings", "cuda-core", "numba",
         "numba-cuda", "nvidia-cutlass", "nvidia-cutlass-dsl", "jax", "tilelang", "einops", "scipy")  # fmt: skip
"""Distributions that kernels are written with; those that are here are named beside one that is not."""


def missing_import(tree: ast.Module, name: str) -> str:
    """One line for the first import at the top level of a file whose package is not installed; empty without one.

    What stands in ``try``, ``if`` or a function may be meant to fail and is left alone.
    """
    for line, package in _imported(tree):
        if not installed(package):
            return f"{name}:{line}: {package} is not in this environment, which has {', '.join(environment())}"
    return ""


def environment() -> list[str]:
    """``torch 2.9.1`` ... of what is here; of Python alone where there is nothing else."""
    found = []
    for name in SHOWN:
        try:
            found.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            continue
    return found or ["the standard library only"]


def installed(package: str) -> bool:
    """Whether a package can be imported here; looked for, not imported."""
    try:
        return importlib.util.find_spec(package) is not None
    except ValueError:  # a module that was made by hand and has no spec: it is there
        return True


def _imported(tree: ast.Module) -> Iterator[tuple[int, str]]:
    for statement in tree.body:
        match statement:
            case ast.Import():
                names = [alias.name for alias in statement.names]
            case ast.ImportFrom(module=str(module), level=0):
                names = [module]
            case _:
                continue
        yield from ((statement.lineno, name.partition(".")[0]) for name in names)
