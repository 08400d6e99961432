"""What the builder leaves behind, and what a worker needs to know at start."""

from __future__ import annotations

import re

from msgspec import Struct

from kernelbot_core.model.problem import Signature

_ERROR = re.compile(r"\S.*(\berror\b[^:]*: |undefined reference to |multiple definition of )", re.IGNORECASE)
"""A line in which a compiler or a linker speaks; what it quotes is indented."""
LONGEST = 1000
"""Characters of a line that are looked at: the text is the submission's as much as the compiler's."""


class Build(Struct, frozen=True, kw_only=True):
    """Result of :meth:`Language.build`, written as ``build.json`` into the artifact. Untrusted, like all of it."""

    ok: bool
    text: str = ""
    """Compiler text or the reason, on the participant's own lines; at most 64 KiB are kept."""
    entry: str = ""
    """File inside the artifact that :meth:`Language.load` starts from."""
    dtypes: list[str] | None = None
    """Dtype labels that the submission offers; None means all."""
    returns_value: bool = False
    """``solve`` takes inputs and scalars only and returns the outputs."""
    notes: list[str] = []

    @property
    def why(self) -> str:
        """The line that says why it failed: warnings and "In function" come before the first error. Never empty."""
        lines = [line for line in self.text.splitlines() if line.strip()] or ["the language gave no reason"]
        return next((line for line in lines if _ERROR.match(line[:LONGEST])), lines[0]).strip()


class BuildOrder(Struct, frozen=True, kw_only=True):
    """What the builder is asked to do; given to it as one JSON file."""

    language: str
    """``module:Class``."""
    source: str
    """File name of the source inside the builder's folder."""
    problem: str
    signature: Signature
    bindings: dict[str, dict[str, str]]
    """Dtype label -> dtype of each variable."""
    wanted: list[str]
    """Dtype labels that were asked for."""
    target: str
    """Device target: ``cpu``, ``sm_90a``."""


class WorkerOrder(Struct, frozen=True, kw_only=True):
    """What a worker is told at start; one JSON file. It scans no entry points."""

    role: str
    """``submission`` or ``baseline``."""
    language: str
    """``module:Class``; empty for the baseline."""
    device: str
    """``module:Class`` of the WorkerDevice."""
    index: int
    """Ordinal of the device."""
    artifact: str
    """Folder of the built files, or of the pack for the baseline."""
    sanitize: bool = False
    """It runs under a memory checker: calls are made on copies in allocations of their own."""
    signature: Signature
    bindings: dict[str, dict[str, str]]
