"""``--sanitize``: whether a job can run under a memory checker, and the time it then gets."""

from __future__ import annotations

import msgspec

from kernelbot_core.errors import UsageError
from kernelbot_core.interfaces.language import Language
from kernelbot_core.model.device import DeviceKind
from kernelbot_core.model.problem import Limits
from kernelbot_core.model.submission import Mode

SLOWER = 10.0
"""Allowance for a kernel under memcheck, and for the libraries that it looks into while they are loaded."""


def sanitized_limits(language: Language, kind: DeviceKind, mode: Mode, limits: Limits) -> Limits:
    """Limits of a job under the language's memory checker.

    :raises UsageError: The mode measures, the language has no checker there, or its tool is missing.
    """
    if mode != "test":
        raise UsageError(f"--sanitize does not go with --mode {mode}", "nothing is measured under it: --mode test")
    checker = language.sanitizer(kind)
    if checker is None:
        where = "the CPU" if kind == "cpu" else "a GPU"
        raise UsageError(f"--sanitize: {language.name} has no memory checker on {where}", "leave it out")
    here = checker.available()
    if not here.ok:
        raise UsageError(f"--sanitize: {here.why}", here.fix)
    return msgspec.structs.replace(
        limits, build_s=limits.build_s * SLOWER, call_s=limits.call_s * SLOWER, job_s=limits.job_s * SLOWER,
        memory_gib=limits.memory_gib * 2,
    )  # fmt: skip
