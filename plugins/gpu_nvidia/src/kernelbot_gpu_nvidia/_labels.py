"""Board labels from what the driver says: form factors of one chip have clocks and memories of their own."""

from __future__ import annotations

import re

_NOISE = re.compile(r"\b(NVIDIA|GeForce|Tesla|Graphics Device|Graphics|GPU)\b|\((R|TM)\)", re.IGNORECASE)
_UNSAFE = re.compile(r"[^A-Za-z0-9.]+")
_GIGABYTES = re.compile(r"\b(\d+)\s?GB\b", re.IGNORECASE)
_GIB = 1 << 30

# First match counts. Last column: the memory, in GB, that needs no mention; 0: never mentioned, None: always.
_FORMS: tuple[tuple[re.Pattern[str], str, int | None], ...] = (
    (re.compile(r"\bGH200\b"), "GH200", 0),
    (re.compile(r"\bH200 NVL\b"), "H200-NVL", 0),
    (re.compile(r"\bH200\b"), "H200", 0),
    (re.compile(r"\bH100 NVL\b"), "H100-NVL", 0),
    (re.compile(r"\bH100\b.*\bPCIe\b", re.IGNORECASE), "H100-PCIe", 80),
    (re.compile(r"\bH100\b"), "H100-SXM", 80),
    (re.compile(r"\bA100\b.*\bPCIe\b", re.IGNORECASE), "A100-PCIe", None),
    (re.compile(r"\bA100\b"), "A100-SXM", None),
)
# One name of the driver, several products: the memory tells them apart.
_AMBIGUOUS = {"RTX-2060", "RTX-3050", "RTX-3060", "RTX-3080", "RTX-4060-Ti", "RTX-5060-Ti", "GTX-1060"}


def label_of(name: str, memory: int = 0) -> str:
    """Board label of a device: letters, digits, dots and dashes.

    :param name: By the driver: ``NVIDIA H100 80GB HBM3``.
    :param memory: Bytes by the driver; 0 when unknown.
    """
    for pattern, label, usual in _FORMS:
        if pattern.search(name):
            return _with_memory(label, name, memory, usual)
    cleaned = _UNSAFE.sub("-", _NOISE.sub(" ", name)).strip("-.") or "unknown"
    return _with_memory(cleaned, "", memory, None) if cleaned in _AMBIGUOUS else cleaned


def _with_memory(label: str, name: str, memory: int, usual: int | None) -> str:
    if usual == 0:
        return label
    said = _GIGABYTES.search(name)
    size = int(said[1]) if said else round(memory / _GIB)
    return label if size in (0, usual) else f"{label}-{size}GB"


def target_of(major: int, minor: int) -> str:
    """What compilers aim at: ``sm_80``, ``sm_90a``. From Hopper on the suffix opens wgmma, setmaxnreg and tcgen05."""
    return f"sm_{major}{minor}{'a' if major >= 9 else ''}"
