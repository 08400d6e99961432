"""How late may a kernel finish, or how much may it understate, before the judge refuses it?

Two forms, on vector additions of about 5, 20, 50 and 200 us on an H200: ``late`` leaves a part of the work on a side
stream behind the end event, ``lie`` does all of it and takes a fixed time off its own events. A point is caught when
its cell was refused, or was given the judge's own time; the advantage is honest E minus the published time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from kernelbot_core.model.submission import Measure

from . import ours
from .catalog import SUITE
from .sizes import SIZES, timed_pack

LATENESS_US = (1, 2, 3, 5, 10, 100, 1000)
FORMS = ("lie", "late")
PUBLISHED = ("passed", "replaced")


@dataclass
class Point:
    """One lateness at one size; seconds."""

    form: str
    size: str
    late: float
    status: str
    honest: float
    claimed: float | None
    """The median; None when it was refused before it was measured."""
    attested_to: float | None = None
    """Share of the claimed time that could be hidden, as the report says."""

    @property
    def advantage(self) -> float:
        """What it got away with; 0 when it was refused."""
        return self.honest - self.claimed if self.status in PUBLISHED and self.claimed is not None else 0.0

    @property
    def share(self) -> float:
        """The same over the honest time; 0 where that is not known."""
        return self.advantage / self.honest if self.honest else 0.0

    def line(self) -> str:
        """One row of the table."""
        return (
            f"{self.form:5} {self.size:6} honest {self.honest * 1e6:8.2f} us  late {self.late * 1e6:7.0f} us  "
            f"{self.status:13} advantage {self.advantage * 1e6:7.2f} us {self.share:7.2%}  attested to "
            f"{'-' if self.attested_to is None else f'{self.attested_to:.2%}'}"
        )


def points(
    device: str, name: str, room: Callable[[], bool], lateness: Sequence[float] = LATENESS_US
) -> Iterator[Point]:
    """Run the sweep of one form; every point is a cell of its own, the cells of one lateness are one job.

    :param lateness: Microseconds.
    """
    if device == "cpu":
        raise SystemExit("the sweep needs a GPU: --device cuda:0")
    form = Form(name, device, Measure(instances=0))
    yield from form.honest
    for late in (microseconds * 1e-6 for microseconds in lateness):
        if room():
            yield from form.at(late)


class Form:
    """One way to be late, with the honest times that it is held against."""

    def __init__(self, name: str, device: str, measure: Measure) -> None:
        self.name, self._device, self._measure = name, device, measure
        self._file = "kernel.cu" if name == "late" else "kernel.py"
        honest = self._cells(0.0, {}, tuple(SIZES))
        self._times = {size: cell.median for size, cell in honest.items() if cell.status in PUBLISHED and cell.median}
        self.honest = [
            Point(name, size, 0.0, cell.status, cell.median or 0.0, self._times.get(size), cell.attested_to)
            for size, cell in honest.items()
        ]
        """Nothing hidden; sizes whose honest kernel was not accepted are no part of the sweep."""

    def at(self, late: float) -> Iterator[Point]:
        """All sizes, so late."""
        cells = self._cells(late, self._times, tuple(self._times))
        for size in self._times:
            cell = cells[size]
            yield Point(self.name, size, late, cell.status, self._times[size], cell.median, cell.attested_to)

    def _cells(self, late: float, honest: dict[str, float], sizes: tuple[str, ...]) -> dict[str, ours.Cell]:
        """Verdict of every size: the judge measures nothing more after a refusal, so the others are asked for again."""
        cells: dict[str, ours.Cell] = {}
        text = source(self.name, late, honest)
        while left := tuple(size for size in sizes if size not in cells):
            verdict = ours.judge(
                text, self._file, timed_pack(), device=self._device, mode="benchmark", sizes=left, measure=self._measure
            )
            reached = {size: cell for size, cell in verdict.cells.items() if size in left and cell[0] != "not_reached"}
            cells |= reached or {left[0]: ours.Cell(verdict.status, None)}
        return cells


def source(form: str, late: float, honest: dict[str, float]) -> str:
    """The submission of one point.

    :param late: Seconds that are kept from the end event.
    :param honest: Size -> seconds of the whole work; what goes beyond it is waited for.
    """
    if form == "lie":
        return (SUITE / "sweep" / "lie.py").read_text().replace("@MICROSECONDS@", f"{late * 1e6:g}")
    cases = []
    for size, time in honest.items():
        n = SIZES[size]
        part, delay = min(n, round(n * late / time)), max(0.0, late - time)
        cases.append(f"    if (n == {n}) {{ late = {part}; delay_ns = {round(delay * 1e9)}; }}")
    return (SUITE / "sweep" / "late.cu").read_text().replace("@CASES@", "\n".join(cases))


def summary(rows: list[dict[str, Any]]) -> str:
    """Largest undetected advantage by form and size."""
    lines = ["largest undetected advantage"]
    for form in FORMS:
        for size in SIZES:
            mine = [Point(**row) for row in rows if row["form"] == form and row["size"] == size and row["late"]]
            if not mine:
                continue
            best = max(mine, key=lambda point: point.advantage)
            accepted = ", ".join(f"{point.late * 1e6:.0f}" for point in mine if point.status == "passed") or "none"
            lines.append(
                f"  {form:5} {size:6} {best.advantage * 1e6:7.2f} us = {best.share:6.2%} "
                f"of {best.honest * 1e6:.1f} us; accepted at (us): {accepted}"
            )
    return "\n".join(lines)
