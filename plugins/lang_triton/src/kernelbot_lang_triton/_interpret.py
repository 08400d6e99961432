"""What Triton's interpreter lacks: autotuning, which wants a GPU to measure on."""

from __future__ import annotations

from typing import Any


def tune_by_order() -> None:
    """Have ``triton.autotune`` take the first configuration that is left after pruning, without measuring."""
    from triton.runtime.autotuner import Autotuner

    def equal(self: Any, *args: Any, config: Any, **meta: Any) -> list[float]:  # noqa: ARG001 - Triton's own signature
        return [0.0, 0.0, 0.0]

    Autotuner._bench = equal
