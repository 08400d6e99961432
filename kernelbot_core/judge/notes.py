"""What the report says about how a cell was measured, in one line each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kernelbot_core.judge.attest import rise_by_itself
from kernelbot_core.judge.estimate import SIGMAS
from kernelbot_core.judge.instances import SHORT
from kernelbot_core.model.report import Attestation

if TYPE_CHECKING:
    from kernelbot_core.judge.cell import Measured


def notes(cell: Measured, found: Attestation | None) -> list[str]:
    """Of a cell that has been measured, and of its attestation."""
    said, pairs, asked = [], len(cell.measured[0].S.T), cell.session.order.pairs
    if pairs < asked:
        said.append(f"{pairs} pairs instead of {asked}: one pair takes too long")
    if cell.host_sync:
        said.append(f"synchronises inside the call ({cell.host_sync} of {cell.calls} calls)")
    if found is not None and found.host_sync:
        said.append("timed by the judge's clock: the gate does not hold a call that synchronises")
    if found is not None and found.replaced:
        said.append("timed by the judge's clock, which does not support the shorter time of the process itself")
    if found is not None and found.replaced and cell.torn:
        said.append("its outputs were not complete when the device had nothing left to do for its process")
    if found is not None and found.meddled > SIGMAS * rise_by_itself([found.harness_clean]):
        said.append(
            f"held against it: {found.meddled * 1e6:.1f} us by which the baseline's calls, or the judge's own work "
            "before the gate, took longer than before the submission was loaded"
        )
    if found is not None and found.repeated:
        said.append("measured twice: the judge's clock did not support the first figures")
    if 1 < len(cell.measured) < cell.wanted:
        said.append(f"measured by {len(cell.measured)} processes instead of {cell.wanted}: the job's time ran short")
    if len(cell.blocks) < len(cell.measured):
        left = len(cell.measured) - len(cell.blocks)
        said.append(f"{left} of {len(cell.measured)} processes left out: the judge's clock did not support them")
    if cell.by_events and len(cell.blocks) == 1 and cell.stats.median < SHORT:
        said.append("measured by one process only: processes differ by 1-3 % below 10 us, by less up to 20")
    return said
