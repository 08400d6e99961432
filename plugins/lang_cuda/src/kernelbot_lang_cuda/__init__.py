"""CUDA C++: one ``.cu`` file with ``extern "C" void solve(...)``, built by nvcc once per dtype."""

from __future__ import annotations

from kernelbot_core import Language, hookimpl
from kernelbot_lang_cuda._language import Cuda

__all__ = ["Cuda", "kernelbot_register_languages"]


@hookimpl
def kernelbot_register_languages() -> list[type[Language]]:
    """Bring the language ``cuda``."""
    return [Cuda]
