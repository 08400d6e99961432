"""The cases a job consists of, known before anything runs: the manifest that a report is held against."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from kernelbot_core.model.problem import Cell
from kernelbot_core.model.submission import Job

Kind = Literal["build", "check", "property", "bench"]


class PlannedCase(Struct, frozen=True, kw_only=True):
    """One case of the manifest."""

    id: str
    """``build``, ``check[small-fp32]``, ``property[shapes-fp32]``, ``bench[small-fp32]``."""
    kind: Kind
    cell: Cell | None = None
    prop: str | None = None
    skip: str = ""
    """Why it is not run; empty when it is."""


def plan(
    job: Job,
    *,
    device_kind: str,
    dtypes_offered: list[str] | None = None,
    skip_bench: str = "",
    skip_dtypes: dict[str, str] | None = None,
) -> list[PlannedCase]:
    """List the cases of a job in the order they run.

    :param device_kind: ``cpu`` or ``gpu``.
    :param dtypes_offered: Dtype labels that the submission says it offers; None means all.
    :param skip_bench: Why this language is not timed on this device; empty when it is.
    :param skip_dtypes: Dtype label -> why the language cannot run it on this device.
    """
    chosen = job.selection
    cells = [c for c in job.problem.cells if _wanted(c.size, chosen.sizes) and _wanted(c.dtype, chosen.dtypes)]
    whys = {c.name: _why(c, device_kind, dtypes_offered, skip_dtypes or {}) for c in cells}
    cases = [PlannedCase(id="build", kind="build")]
    cases += [PlannedCase(id=f"check[{c.name}]", kind="check", cell=c, skip=whys[c.name]) for c in cells]
    for prop in job.problem.file.properties:
        seen: set[str] = set()
        for cell in cells:
            if cell.dtype not in seen:
                seen.add(cell.dtype)
                why = _why(cell, "", dtypes_offered, skip_dtypes or {})
                cases.append(
                    PlannedCase(id=f"property[{prop}-{cell.dtype}]", kind="property", cell=cell, prop=prop, skip=why)
                )
    if job.mode != "test":
        cases += [
            PlannedCase(id=f"bench[{c.name}]", kind="bench", cell=c, skip=whys[c.name] or skip_bench)
            for c in cells
            if c.ranked
        ]
    return cases


def _wanted(name: str, chosen: list[str]) -> bool:
    return not chosen or name in chosen


def _why(cell: Cell, device_kind: str, offered: list[str] | None, barred: dict[str, str]) -> str:
    if device_kind and device_kind not in cell.devices:
        return f"size {cell.size} is for {' and '.join(cell.devices)} only"
    if offered is not None and cell.dtype not in offered:
        return "not offered by the submission"
    return barred.get(cell.dtype, "")
