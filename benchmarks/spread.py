"""Judges one submission several times from scratch and shows how much its score moves.

``python benchmarks/spread.py vector_add FILE --runs 5 --mode ranked --out FILE.json``. The spread is max / min - 1 of
the published medians of a cell, and of those of the first worker alone, which is what one worker would have given.
"""

from __future__ import annotations

import argparse
import json
import statistics
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from kernelbot_core.engine.run import judge_file
from kernelbot_core.packs.find import find_problems
from kernelbot_core.packs.load import load_problem
from kernelbot_core.plugins import registry


def main() -> None:
    """Judge, print one line for each cell, write the reports."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("problem", help="name of a pack, or its folder")
    parser.add_argument("file", type=Path)
    parser.add_argument("--device", default="auto")
    parser.add_argument("--dtype", default="fp32")
    parser.add_argument("--size", action="append", default=[])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--mode", choices=["benchmark", "ranked"], default="benchmark")
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    named = [folder for folder in find_problems(registry().pack_sources) if folder.name == args.problem]
    problem = load_problem(named[0] if named else Path(args.problem))
    reports = [
        judge_file(
            registry(), problem, args.file, device=args.device, mode=args.mode, dtypes=[args.dtype], sizes=args.size
        )
        for _ in range(args.runs)
    ]
    for report in reports:
        if report.status != "passed":
            raise SystemExit(f"{report.status}: {report.reason}")
    show([{case.id: case for case in report.cases if case.stats is not None} for report in reports])
    if args.out:
        date = datetime.now(UTC).isoformat(timespec="seconds")
        args.out.write_text(json.dumps({"what": "spread", "date": date, "reports": msgspec.to_builtins(reports)}))


def show(runs: list[dict[str, object]]) -> None:
    """One line for each cell."""
    print(f"{'cell':24}{'median us':>11}{'spread %':>10}{'first worker %':>16}  runs, us")
    for name in runs[0]:
        published = [run[name].stats.median for run in runs]  # type: ignore[attr-defined]  # rows of a record
        first = [statistics.median(run[name].samples.E) for run in runs]  # type: ignore[attr-defined]  # rows of a record
        listed = " ".join(f"{value * 1e6:.3f}" for value in published)
        print(
            f"{name:24}{statistics.median(published) * 1e6:11.3f}{100 * (max(published) / min(published) - 1):10.2f}"
            f"{100 * (max(first) / min(first) - 1):16.2f}  {listed}"
        )


if __name__ == "__main__":
    main()
