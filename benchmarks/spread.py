"""Judges one submission several times from scratch and shows how much its score moves.

``python benchmarks/spread.py vector_add FILE --runs 5 --mode ranked --out FILE.json``. The spread is max / min - 1 of
the published medians of a cell, and of those of the first worker alone, which is what one worker would have given.
``--resize us5:n=524288 --resize us47:n=16777216`` takes these sizes instead of the pack's own.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from resized import named_size, resized

from kernelbot_core.engine.run import judge_file
from kernelbot_core.errors import UserError
from kernelbot_core.model.nameless import nameless
from kernelbot_core.model.problem import Problem
from kernelbot_core.model.report import Report
from kernelbot_core.packs.find import resolve
from kernelbot_core.packs.load import load_problem
from kernelbot_core.plugins import registry


def main() -> None:
    """Judge, print one line for each cell, write the reports."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("problem", help="name of a pack, or its folder, with a slash in it")
    parser.add_argument("file", type=Path)
    parser.add_argument("--device", default="auto")
    parser.add_argument("--dtype", default="fp32")
    parser.add_argument("--size", action="append", default=[])
    parser.add_argument(
        "--resize", action="append", type=named_size, default=[], metavar="NAME:DIM=N[,DIM=N]",
        help="a size instead of the pack's own; as often as there are sizes",
    )  # fmt: skip
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--mode", choices=["benchmark", "ranked"], default="benchmark")
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    try:
        problem = resolve(args.problem, registry().pack_sources)
        with tempfile.TemporaryDirectory() as scratch:
            if args.resize:
                problem = load_problem(resized(Path(problem.path), dict(args.resize), Path(scratch)))
            reports = judge(problem, args)
    except UserError as exc:
        raise SystemExit(f"{exc.message}; {exc.hint}") from exc
    show([{case.id: case for case in report.cases if case.stats is not None} for report in reports])


def judge(problem: Problem, args: argparse.Namespace) -> list[Report]:
    """One report for each run; each is written at once: what is broken off leaves its part."""
    reports: list[Report] = []
    for _ in range(args.runs):
        report = judge_file(
            registry(), problem, args.file, device=args.device, mode=args.mode, dtypes=[args.dtype], sizes=args.size
        )
        reports.append(report)
        if args.out:
            save(args.out, reports)
        if report.status != "passed":
            raise SystemExit(f"{report.status}: {report.reason}")
    return reports


def save(out: Path, reports: Sequence[Report]) -> None:
    """Write what there is so far."""
    date = datetime.now(UTC).isoformat(timespec="seconds")
    out.write_text(json.dumps({"what": "spread", "date": date, "reports": [nameless(report) for report in reports]}))


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
