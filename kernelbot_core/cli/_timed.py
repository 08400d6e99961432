"""The timed cells of a card: the table, and what has to be said beside it."""

from __future__ import annotations

from collections.abc import Iterator

from rich.table import Table

from kernelbot_core.cli._failure import GREY
from kernelbot_core.model.report import CaseResult, Stats
from kernelbot_core.text import listed, percent, rate, seconds, times

RESOLVED = 0.01
"""Above this a cell cannot tell apart what a board wants to tell apart."""
VAGUE = 0.2
"""Above this a factor over the baseline is a guess."""


def table(timed: list[CaseResult]) -> Table:
    """One row per cell; the attested share where the times are the submission's own word."""
    made = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style=GREY)
    for title in ("  size", "dtype"):
        made.add_column(title, no_wrap=True)
    attested = any(case.attestation for case in timed)
    titles = ["median", "p99", "std", "±", "n", "rate", "of peak", "vs baseline", "first call"]
    for title in titles + (["attested to"] if attested else []):
        made.add_column(title, justify="right", no_wrap=True)
    for case in timed:
        made.add_row(*_row(case), *([_attested(case)] if attested else []))
    return made


def remarks(timed: list[CaseResult]) -> Iterator[str]:
    """Lines below the table."""
    wide = [f"{_name(c)} ±{_share(c.stats)}" for c in timed if c.stats and c.stats.resolution > RESOLVED]
    if wide:
        yield f"not resolved: {listed(wide)}"
    if any(case.instances for case in timed):
        yield f"several processes measured {listed([f'{_name(c)} ({len(c.instances)})' for c in timed if c.instances])}"
    event_clock = any(case.attestation for case in timed)
    yield from _unattested(timed, "do_bench", "like do_bench" if event_clock else "in a plain loop")
    yield from _unattested(timed, "sustained", "sustained, back to back for a second")


def _unattested(timed: list[CaseResult], figure: str, title: str) -> Iterator[str]:
    known = [(case, getattr(case.unattested, figure)) for case in timed if case.unattested]
    shown = [f"{_name(case)} {seconds(value)}" for case, value in known if value is not None]
    if shown:
        yield f"{title} {listed(shown)} (unattested)"


def _row(case: CaseResult) -> list[str]:
    stats, work = case.stats, case.throughput
    assert stats is not None
    return [
        f"  {case.size}", case.dtype or "", seconds(stats.median), seconds(stats.p99), seconds(stats.std),
        _share(stats), str(stats.n), rate(work.bytes_per_s, work.flops_per_s) if work else "-",
        percent(work.peak_fraction if work else None), _factor(case), seconds(case.first_call),
    ]  # fmt: skip


def _factor(case: CaseResult) -> str:
    """Over the baseline; about so much where the cell is not resolved."""
    factor = times(case.throughput.speedup if case.throughput else None)
    vague = case.stats is not None and case.stats.resolution > VAGUE
    return f"~{factor}" if vague and factor != "-" else factor


def _attested(case: CaseResult) -> str:
    found = case.attestation
    return "-" if found is None else percent(found.attested_to, 2)


def _share(stats: Stats | None) -> str:
    return "-" if stats is None else percent(stats.resolution, 2)


def _name(case: CaseResult) -> str:
    return f"{case.size}-{case.dtype}"
