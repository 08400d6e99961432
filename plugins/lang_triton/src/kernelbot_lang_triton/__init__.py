"""Triton: Python files with ``@triton.jit`` kernels; on the CPU through Triton's interpreter."""

from __future__ import annotations

from kernelbot_core import Language, hookimpl
from kernelbot_lang_triton._language import Triton

__all__ = ["Triton", "kernelbot_register_languages"]


@hookimpl
def kernelbot_register_languages() -> list[type[Language]]:
    """Bring the language ``triton``."""
    return [Triton]
