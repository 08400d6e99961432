"""What quiet calls said of honest kernels, from result files of acceptance.py and spread.py; runs nothing.

``python benchmarks/quiet_table.py benchmarks/results/*-acceptance-matmul.json ...`` prints one line for each cell, us:

- ``E``: the published time; ``k``: of how many processes.
- ``excess``: ``excess_quiet`` of the report; ``beside``: the same against the baseline's calls beside it alone, without
  those before the submission was loaded; ``level``: what has been taken off.
- ``tol``: what could be noise.
"""

from __future__ import annotations

import argparse
import json
import statistics
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

US = 1e6


def main() -> None:
    """Print the table, and a line for each file."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", type=Path, nargs="+")
    args = parser.parse_args()
    print(f"{'kernel':22} {'cell':20} {'E':>9} {'k':>2} {'excess':>7} {'beside':>7} {'level':>7} {'tol':>6}")
    for file in args.files:
        found = [row for name, report in reports(json.loads(file.read_text())) for row in rows(name, report)]
        for row in found:
            print("{:22.22} {:20.20} {:9.2f} {:2} {:+7.2f} {:+7.2f} {:+7.2f} {:6.2f}".format(*row))
        if found:
            excess, beside = ([row[place] for row in found] for place in (4, 5))
            print(
                f"{file.name}: {len(found)} cells, excess {statistics.fmean(excess):+.2f}, at most {max(excess):+.2f}; "
                f"beside {statistics.fmean(beside):+.2f}, standard deviation {statistics.pstdev(beside):.2f}"
            )


def reports(document: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every report of a result file, the latest run of a file with several, with the kernel's name."""
    for result in document.get("results", ()):
        yield Path(result["sample"]).name, result.get("report") or {}
    for report in document.get("reports", ()):
        yield document["what"], report
    for run in document.get("runs", ())[:1]:
        yield from reports(run | {"what": document["what"]})


def rows(name: str, report: dict[str, Any]) -> Iterator[tuple[Any, ...]]:
    """One for each cell that had quiet calls."""
    for case in report.get("cases", ()):
        found = case.get("attestation") or {}
        if found.get("excess_quiet") is None:
            continue
        others = [one["samples"] for one in (case.get("instances") or [])[1:] if one.get("samples")]
        each = [one for one in (case["samples"], *others) if one["T_quiet"]]
        beside = [
            median(one["T_quiet"]) - median(one["E"]) - median(one["T_quiet_ref"]) + median(one["E_ref"])
            for one in each
        ]  # fmt: skip
        level = found["level_quiet"] or 0.0
        yield (
            name, case["id"], case["stats"]["median"] * US, len(each), found["excess_quiet"] * US,
            (statistics.fmean(beside) - level) * US, level * US, found["tol_quiet"] * US,
        )  # fmt: skip


if __name__ == "__main__":
    main()
