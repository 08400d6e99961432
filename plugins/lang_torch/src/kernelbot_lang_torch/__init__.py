"""PyTorch: eager code, ``torch.compile`` and ``load_inline`` extensions, which are built before the worker starts."""

from __future__ import annotations

from kernelbot_core import Language, hookimpl
from kernelbot_lang_torch._language import Torch

__all__ = ["Torch", "kernelbot_register_languages"]


@hookimpl
def kernelbot_register_languages() -> list[type[Language]]:
    """Bring the language ``torch``."""
    return [Torch]
