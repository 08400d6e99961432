"""The last lines of the card: status, place, and where to see more."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from rich.text import Text

from kernelbot_core.cli._failure import BAD, GREY
from kernelbot_core.engine.place import Place
from kernelbot_core.engine.record import Recorded
from kernelbot_core.interfaces.sandbox import walled
from kernelbot_core.model.report import STATUS_TEXT, Report
from kernelbot_core.text import one_line, percent, seconds, times

GOOD = "green"


def verdict(report: Report, recorded: Recorded | None, called: str = "") -> Iterator[Text]:
    """Status line, places, and what to do next.

    :param called: How the user named the problem.
    """
    if not walled(report.guarantees):
        yield Text(f"- UNSAFE: sandbox {one_line(report.sandbox)} puts no walls around the code; never ranked", BAD)
    where = f" on {one_line(report.gpu)} · {one_line(report.language)}"
    if report.status != "passed":
        why = report.reason if report.status in ("infrastructure", "not_run", "refused") else STATUS_TEXT[report.status]
        yield Text.assemble((report.status.upper().replace("_", " "), f"bold {BAD}"), where, f": {one_line(why)}")
    elif recorded is None or recorded.entry is None:
        yield Text.assemble(("PASSED", f"bold {GOOD}"), where, _scores(report))
    for objection in recorded.objections if recorded else []:
        yield Text(f"not recorded: {one_line(objection)}", BAD)
    if recorded is not None and recorded.entry is not None:
        yield from _saved(recorded)
    if report.mode == "ranked" and recorded is not None:
        board = f"kernelbot leaderboard {shlex.quote(one_line(called or report.problem))}{_sizes(recorded)}"
        yield Text(f"more: kernelbot show {report.id} · {board}", GREY)


def _scores(report: Report) -> str:
    """``: fp32 219.1 us (1.08x the baseline's speed)`` per dtype; the geometric mean over the ranked sizes."""
    parts = []
    for dtype, score in report.scores.items():
        known = report.baseline.get(dtype)
        parts.append(f"{dtype} {seconds(score)}" + (f" ({times(known / score)} vs baseline)" if known else ""))
    return f": {', '.join(parts)}" if parts else ""


def _saved(recorded: Recorded) -> Iterator[Text]:
    entry = recorded.entry
    assert entry is not None
    for place in recorded.places:
        yield _place(place, f"{one_line(entry.gpu)} · {one_line(entry.language)}", entry.id)
    if not any(place.size is None for place in recorded.places):
        yield Text("saved; the overall board takes entries with every ranked size")
    if len(entry.runs) > 1:
        yield Text(f"- the same kernel as before: its time is the median of {len(entry.runs)} runs now", GREY)


def _sizes(recorded: Recorded) -> str:
    """The option that shows the boards of an entry which is not on the overall one."""
    sizes = dict.fromkeys(place.size for place in recorded.places)
    return "" if None in sizes or not sizes else f" --size {','.join(str(size) for size in sizes)}"


def _place(place: Place, where: str, entry_id: str) -> Text:
    standing = place.standing
    board = f"{place.dtype}, {place.size}" if place.size else place.dtype
    tied = " (shared)" if standing.tied else ""
    text = Text.assemble((f"RANK {standing.rank} / {place.of}", f"bold {GOOD}"), f"{tied} on {where} · {board}")
    text.append(f"  {seconds(standing.score)}")
    if place.of_all > place.of:
        text.append(f", {place.rank_of_all} / {place.of_all} over all languages")
    if place.ahead is not None:
        gap = standing.score / place.ahead.score - 1
        text.append(f", {percent(gap, 2)} behind {one_line(place.ahead.entry.user)}")
    if standing.entry.id != entry_id:
        text.append(f"\n- your {one_line(standing.entry.filename)} counts: this one does not clearly beat it", GREY)
    return text
