"""What the judge says: the same path as ``kernelbot run`` takes."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from kernelbot_core.engine.run import judge_file
from kernelbot_core.errors import RefusedError, UserError
from kernelbot_core.model.problem import Problem
from kernelbot_core.model.report import Attestation, Report
from kernelbot_core.model.submission import Measure
from kernelbot_core.packs.find import resolve
from kernelbot_core.plugins import registry
from kernelbot_core.settings import load_settings

from .sizes import on_gpu

TEST_SIZES = {"vector_add": "small", "matmul": "small", "softmax": "narrow"}
TIMED_SIZES = {"vector_add": "medium", "matmul": "small", "softmax": "narrow"}
WALLS = frozenset({"network", "filesystem"})
USUAL = Measure()


class Cell(NamedTuple):
    """What the judge says of one timed cell."""

    status: str
    """``replaced`` where the judge's time stands for the claimed one."""
    median: float | None
    """Seconds."""
    resolution: float = 0.0
    """Published with it, as a share of it."""
    attested_to: float | None = None
    """Share of it that could be hidden, as the report says; None where no clock of the judge's runs beside."""


@dataclass(frozen=True)
class Verdict:
    """The outcome of one judge run."""

    status: str
    reason: str
    seconds: float | None = None
    """Median of the ranked clock over the one cell; None unless it passed in a timed mode."""
    resolution: float = 0.0
    """Published with it, as a share of it."""
    tol: float = 0.0
    """Seconds up to which the judge's clock lets a claimed time pass; 0 where that clock itself ranks."""
    left_open: float = 0.0
    """Seconds that could be hidden, by whatever means, as the report says."""
    host_sync: bool = False
    """The gate's watchdog opened it in most calls: the submission synchronises inside."""
    walled: bool = False
    """The sandbox in force hides files and network."""
    cells: dict[str, Cell] = field(default_factory=dict)
    """By size."""


def judge(
    source: str,
    name: str,
    problem: str | Problem,
    *,
    device: str,
    mode: str,
    sizes: Sequence[str] = (),
    size: str = "",
    measure: Measure = USUAL,
) -> Verdict:
    """Judge one text.

    :param name: File name; the suffix counts.
    :param problem: A name, or a loaded pack.
    :param sizes: Cells by size; by default one that is fit for the device and mode.
    :param size: That one, where it is timed on a GPU.
    :param measure: How they are measured, where the usual way of the mode is not wanted.
    """
    found = registry()
    if not sizes and device != "cpu" and mode != "test":
        problem, size = on_gpu(problem if isinstance(problem, str) else problem.name, size)
        sizes = (size,)
    pack = resolve(problem, found.pack_sources) if isinstance(problem, str) else problem
    if not sizes:
        sizes = ((TEST_SIZES if mode == "test" else TIMED_SIZES)[pack.name],)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / name
        file.write_text(source)
        try:
            report = judge_file(
                found,
                pack,
                file,
                settings=load_settings(),
                device=device,
                mode=mode,
                sizes=sizes,
                dtypes=("fp32",),
                measure=measure,
            )  # type: ignore[arg-type]  # mode is a text
        except RefusedError as exc:
            return Verdict("refused", exc.message)
        except UserError as exc:
            return Verdict("infrastructure", exc.message)
    return _verdict(report)


def _timed(report: Report) -> list[tuple[Attestation, float | None]]:
    return [(c.attestation, c.stats and c.stats.median) for c in report.cases if c.attestation is not None]


def _verdict(report: Report) -> Verdict:
    cells = {
        case.size or "": Cell(
            "replaced" if case.attestation and case.attestation.replaced else case.verdict or case.status,
            case.stats.median if case.stats else None,
            case.stats.resolution if case.stats else 0.0,
            case.attestation.attested_to if case.attestation else None,
        )
        for case in report.cases
        if case.kind == "bench"
    }
    found = [case.attestation for case in report.cases if case.attestation is not None]
    timed = [cell for cell in cells.values() if cell.median is not None]
    return Verdict(
        status=report.status, reason=" ".join(report.reason.split()), walled=set(report.guarantees) >= WALLS,
        seconds=timed[0].median if report.status == "passed" and timed else None,
        resolution=timed[0].resolution if timed else 0.0, cells=cells,
        tol=max((one.tol for one in found), default=0.0),
        left_open=max((one.attested_to * (median or 0.0) for one, median in _timed(report)), default=0.0),
        host_sync=any(one.host_sync for one in found),
    )  # fmt: skip
