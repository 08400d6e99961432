"""Numbers as people read them, and text that somebody untrusted wrote."""

from __future__ import annotations

import re

_CONTROL = re.compile("\x1b\\[[0-9;?]*[ -/]*[@-~]|[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def seconds(value: float | None) -> str:
    """``46.7 us``, ``1.38 ms``, ``2.5 s``."""
    if value is None:
        return "-"
    for factor, unit in ((1e6, "us"), (1e3, "ms")):
        if value * factor < 1000:
            return f"{value * factor:.4g} {unit}"
    return f"{value:.4g} s"


def rate(bytes_per_s: float, flops_per_s: float) -> str:
    """Bandwidth, or arithmetic where there is more than ten operations per byte."""
    if flops_per_s > 10 * bytes_per_s:
        return f"{flops_per_s / 1e12:.3g} TFLOP/s" if flops_per_s >= 1e12 else f"{flops_per_s / 1e9:.3g} GFLOP/s"
    return f"{bytes_per_s / 1e12:.3g} TB/s" if bytes_per_s >= 1e12 else f"{bytes_per_s / 1e9:.3g} GB/s"


def safe(text: str) -> str:
    """Without control characters, escape sequences and marks that turn the direction of writing."""
    return _CONTROL.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
