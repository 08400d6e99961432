"""How steady each clock of the judge is: ``python benchmarks/clock_table.py FILE`` shows what ``clock.py`` has written.

D = T - E is what lies around a kernel; a clock is as good as D is steady. Microseconds. Columns:

- ``E``, ``D``: medians over all calls.
- ``sigma``: 1.4826 times the median absolute deviation of D, for the quietest and the loudest worker.
- ``worst``: the largest D of all, beyond its worker's median.
- ``wander``: how far the medians over 30 calls in a row lie apart, for the worker with whom it is most.
- ``workers``: how far the medians of the workers lie apart, which all run the same code.
"""

from __future__ import annotations

import json
import statistics
import sys
from pathlib import Path
from typing import Any

RUN = 30
MAD_TO_SIGMA = 1.4826
HEAD = ("E", "D", "sigma", "to", "worst", "wander", "workers")


def show(record: dict[str, Any]) -> None:
    """One line for each kind of call and clock."""
    print(f"{record['device']}, {record['at']}, {record['rounds']} rounds, {record['workers']} workers; microseconds")
    print(f"{'call':18} {'clock':24}" + "".join(f"{word:>9}" for word in HEAD))
    samples = [dict(zip(record["columns"], row, strict=True)) for row in record["samples"]]
    for call in dict.fromkeys(one["call"] for one in samples):
        for clock in record["clocks"]:
            row = figures([one for one in samples if one["call"] == call and one["clock"] == clock])
            print(f"{call:18} {clock:24}" + "".join(f"{value:9.2f}" for value in row))


def figures(samples: list[dict[str, Any]]) -> tuple[float, ...]:
    """The columns, of the samples of one line."""
    each: dict[int, list[float]] = {}
    for one in samples:
        each.setdefault(one["worker"], []).append(one["T"] - one["E"])
    middles = [statistics.median(values) for values in each.values()]
    sigmas = [MAD_TO_SIGMA * statistics.median(abs(value - middle) for value in values)
              for values, middle in zip(each.values(), middles, strict=True)]  # fmt: skip
    return (
        statistics.median(one["E"] for one in samples),
        statistics.median(value for values in each.values() for value in values),
        min(sigmas),
        max(sigmas),
        max(max(values) - middle for values, middle in zip(each.values(), middles, strict=True)),
        max(wander(values) for values in each.values()),
        max(middles) - min(middles),
    )


def wander(values: list[float]) -> float:
    """Distance of the highest and the lowest median over calls in a row; 0 where there is one row only."""
    starts = range(0, max(len(values) - RUN, 0) + 1, RUN)
    medians = [statistics.median(values[start : start + RUN]) for start in starts]
    return max(medians) - min(medians)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(f"usage: {sys.argv[0]} FILE")
    show(json.loads(Path(sys.argv[1]).read_text()))
