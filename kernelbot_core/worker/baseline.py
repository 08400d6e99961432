"""The pack's baseline as a ``solve``: what is timed beside the submission."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kernelbot_core.interfaces.language import Solve
from kernelbot_core.model.problem import Signature
from kernelbot_core.packs.code import load_code


def load(folder: Path, signature: Signature) -> Solve:
    """``baseline`` of problem.py, or its ``reference`` in the native dtype, copied to the outputs."""
    module = load_code(folder)
    given: Solve | None = getattr(module, "baseline", None)
    if given is not None:
        return given
    inputs, outputs = len(signature.inputs), len(signature.outputs)

    def solve(*arguments: Any) -> None:
        values = module.reference(*arguments[:inputs])
        values = values if isinstance(values, tuple) else (values,)
        for output, value in zip(arguments[inputs : inputs + outputs], values, strict=True):
            output.copy_(value)

    return solve
