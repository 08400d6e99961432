"""Where somebody stands now: rank, own best, the gap to the next."""

from __future__ import annotations

from kernelbot_bot import plain
from kernelbot_bot.render.message import small
from kernelbot_core.engine.place import Place
from kernelbot_core.engine.record import Recorded
from kernelbot_core.model.entry import Entry
from kernelbot_core.model.report import Report
from kernelbot_core.text import percent, seconds, times

MEDALS = {1: "🥇 ", 2: "🥈 ", 3: "🥉 "}


def placed(report: Report, recorded: Recorded | None) -> list[str]:
    """Lines for a ranked job that passed; none for others."""
    if report.status != "passed" or report.mode != "ranked" or recorded is None:
        return []
    if recorded.entry is None:
        return ["**PASSED**, not ranked", *(f"not recorded: {plain.text(why, 300)}" for why in recorded.objections)]
    lines = [line for place in recorded.places[:1] for line in _place(place, recorded.entry)]
    lines += [_other(place) for place in recorded.places[1:]]
    if not any(place.size is None for place in recorded.places):
        lines.append("saved; the overall board takes entries with every ranked size")
    if len(recorded.entry.runs) > 1:
        lines.append(small(f"the same kernel as before: its time is the median of {len(recorded.entry.runs)} runs now"))
    return lines


def _place(place: Place, entry: Entry) -> list[str]:
    line = place.standing
    where = " · ".join(plain.text(name, 40) for name in (entry.gpu, entry.language, place.dtype))
    said = f"{MEDALS.get(line.rank, '')}**RANK {line.rank} / {place.of}** on {where}"
    said += f" · {plain.text(place.size, 20)}" if place.size else ""
    said += f" · {seconds(line.score)}" + (" (shared)" if line.tied else "")
    lines, details = [said], []
    if line.baseline:
        details.append(f"{times(line.baseline / line.score)} vs baseline")
    if place.of_all > place.of:
        details.append(f"{place.rank_of_all} / {place.of_all} over all languages")
    if place.ahead is not None:
        gap = line.score / place.ahead.score - 1
        details.append(f"{percent(gap)} behind {plain.text(place.ahead.entry.user, 32)}")
    if line.entry.id != entry.id:
        details.append(f"your best is {plain.text(line.entry.filename, 40)}: this one does not clearly beat it")
    return lines + ([small(f"{'; '.join(details)}")] if details else [])


def _other(place: Place) -> str:
    """The same on the board of another dtype or size, in one short line."""
    line, board = place.standing, plain.text(place.dtype, 20)
    board += f", {plain.text(place.size, 20)}" if place.size else ""
    gain = f" · {times(line.baseline / line.score)}" if line.baseline else ""
    return f"{board}: rank {line.rank} / {place.of}{' (shared)' if line.tied else ''} · {seconds(line.score)}{gain}"
