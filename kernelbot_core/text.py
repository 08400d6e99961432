"""Numbers as people read them, and text that somebody untrusted wrote."""

from __future__ import annotations

import re
from decimal import Decimal

# Escape sequences (CSI; OSC and its kin up to their terminator; two-character ones) go as a whole, then single
# control characters and marks that turn the direction of writing. Newline and tab stay.
_ESCAPES = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)?|\x1b[ -/]*[0-~]"
)
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")
_BEYOND_ASCII = re.compile("[^\t\n -~]")
_PASSWORD = re.compile(r"(://[^\s/:@?]*:)[^\s]+@|([?&](?:password|passwd|pwd)=)[^\s&]+")
INTENSE = 10
"""FLOPs per byte from which arithmetic says more than bandwidth."""
LEAST = 1e-5
"""Smaller shares are told as such: no reader needs their digits."""


def safe(text: str) -> str:
    """Without escape sequences, control characters and marks that turn the direction of writing."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _CONTROL.sub("", _ESCAPES.sub("", text))


def ascii_json(data: bytes | str) -> str:
    """The same JSON in printable ASCII: any other character is escaped, so that no terminal obeys what it holds."""
    text = data.decode() if isinstance(data, bytes) else data
    return _BEYOND_ASCII.sub(_escaped, text)


def _escaped(found: re.Match[str]) -> str:
    """JSON's escape of one character: a pair of them beyond U+FFFF."""
    return "\\u" + found[0].encode("utf-16-be", "surrogatepass").hex("-", 2).replace("-", "\\u")


def without_password(text: str) -> str:
    """The same with stars for the password of each URL in it."""
    return _PASSWORD.sub(lambda found: f"{found[1]}***@" if found[1] else f"{found[2]}***", text)


def one_line(text: str, longest: int = 300) -> str:
    """The same in one line, cut where it is longer."""
    line = " ".join(safe(text).split())
    return line if len(line) <= longest else f"{line[: longest - 1]}…"


def seconds(value: float | None) -> str:
    """``46.7 us``, ``1.38 ms``, ``2.50 s``: four digits."""
    if value is None:
        return "-"
    for factor, unit in ((1e9, "ns"), (1e6, "us"), (1e3, "ms"), (1.0, "s")):
        scaled = value * factor
        if float(f"{scaled:.4g}") < 1000 or unit == "s":
            break
    return f"{_digits(scaled)} {unit}"


def _digits(value: float) -> str:
    for decimals, limit in ((3, 10), (2, 100), (1, 1000)):
        if float(f"{value:.{decimals}f}") < limit:
            return f"{value:.{decimals}f}"
    return f"{value:.0f}"


def rate(bytes_per_s: float, flops_per_s: float) -> str:
    """Bandwidth, or arithmetic where there are many operations per byte."""
    if flops_per_s > INTENSE * bytes_per_s:
        return (
            f"{_digits(flops_per_s / 1e12)} TFLOP/s" if flops_per_s >= 1e12 else f"{_digits(flops_per_s / 1e9)} GFLOP/s"
        )
    return f"{_digits(bytes_per_s / 1e9)} GB/s"


def digits(value: float, count: int = 3) -> str:
    """``1.08``, ``0.0214``, ``1230``: so many significant digits, and no exponent where people read one badly."""
    short = f"{value:.{count}g}"
    return f"{Decimal(short):f}" if 1e-4 <= abs(value) < 1e6 else short


def percent(fraction: float | None, count: int = 3) -> str:
    """``63.1 %``, ``250 %``."""
    if fraction is not None and 0 < abs(fraction) < LEAST:
        return f"under {digits(100 * LEAST)} %"
    return "-" if fraction is None else f"{digits(100 * fraction, count)} %"


def times(factor: float | None) -> str:
    """``1.08x``, ``1230x``."""
    return "-" if factor is None else f"{digits(factor)}x"


def number(count: int, what: str, many: str = "") -> str:
    """``1 case``, ``3 cases``, ``2 entries``."""
    return f"{count} {what if count == 1 else many or what + 's'}"


def listed(names: list[str]) -> str:
    """All of a few names, or the first two and how many more."""
    return ", ".join(names) if len(names) <= 4 else f"{names[0]}, {names[1]} and {len(names) - 2} more"
