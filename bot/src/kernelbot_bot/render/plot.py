"""Pictures of boards, drawn without a screen and without pyplot's global state, so on any thread."""

from __future__ import annotations

import datetime
import io
from collections.abc import Sequence

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.dates import AutoDateLocator, ConciseDateFormatter, date2num
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from kernelbot_bot import plain
from kernelbot_bot.render.message import Attached
from kernelbot_core.engine.history import Reign
from kernelbot_core.text import seconds

WIDTH, HEIGHT, DPI = 8.0, 4.2, 120
NAMED = 8
"""Users with a colour of their own; others share grey."""


def history_plot(title: str, reigns: Sequence[Reign], *, now: datetime.datetime | None = None) -> Attached:
    """First place over time as steps, logarithmic; each user has a colour."""
    figure = Figure(figsize=(WIDTH, HEIGHT), dpi=DPI, layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    end = _day(now or datetime.datetime.now(datetime.UTC))
    users = list(dict.fromkeys(reign.user for reign in reversed(reigns)))
    colours = {user: f"C{number}" if number < NAMED else "0.6" for number, user in enumerate(users)}
    spans = [(_at(reign.start), _at(reign.end) if reign.end else end, reign.score) for reign in reigns]
    axes.step([start for start, _, _ in spans] + [end], [s for _, _, s in spans] + [spans[-1][2]], where="post",
              color="0.75", linewidth=1, zorder=1)  # fmt: skip
    for reign, (start, stop, score) in zip(reigns, spans, strict=True):
        axes.hlines(score, start, stop, color=colours[reign.user], linewidth=3, zorder=2)
        axes.plot([start], [score], "o", color=colours[reign.user], markersize=5, zorder=3)
    for user in users[:NAMED]:
        axes.plot([], [], color=colours[user], linewidth=3, label=_literal(user))
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: seconds(value)))
    axes.yaxis.set_minor_formatter(FuncFormatter(lambda value, _: seconds(value) if _few(spans) else ""))
    locator = AutoDateLocator()  # type: ignore[no-untyped-call]  # matplotlib has no types here
    axes.xaxis.set_major_locator(locator)
    axes.xaxis.set_major_formatter(ConciseDateFormatter(locator))  # type: ignore[no-untyped-call]  # matplotlib has no types here
    axes.grid(visible=True, which="major", alpha=0.3)
    axes.set_title(_literal(title), fontsize=11)
    axes.legend(loc="upper right", fontsize=9, frameon=True)
    data = io.BytesIO()
    figure.savefig(data, format="png")
    return Attached("history.png", data.getvalue())


def _few(spans: Sequence[tuple[float, float, float]]) -> bool:
    """Whether all times lie within a decade, where major ticks alone would say little."""
    scores = [score for _, _, score in spans]
    return max(scores) < 10 * min(scores)


def _at(moment: str) -> float:
    found = datetime.datetime.fromisoformat(moment)
    return _day(found if found.tzinfo else found.replace(tzinfo=datetime.UTC))


def _day(moment: datetime.datetime) -> float:
    """As matplotlib counts: days since 1970."""
    return float(date2num(moment))  # type: ignore[no-untyped-call]  # matplotlib has no types here


def _literal(text: str) -> str:
    """A name is no formula, and a label that begins with an underscore would be left out of the legend."""
    return "\u200b" + plain.cell(text, 60).replace("$", r"\$")
