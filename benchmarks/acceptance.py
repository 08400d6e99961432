"""Judges every sample of every pack on one device and prints one table; the raw reports go into one JSON file.

Run on a GPU box from a checkout, with kernelbot installed::

    python benchmarks/acceptance.py --device cuda:0 --out benchmarks/results/h200-acceptance.json --budget 400

Right samples must pass, wrong and cheat samples must be refused with one of the statuses they name. ``T bound`` is
``T_S - T_R + E_R - E_S`` by medians: how far the judge's clock supports the events of the submission's own process.
"""

from __future__ import annotations

import argparse
import json
import platform
import re
import statistics
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from kernelbot_core.engine.run import judge_file
from kernelbot_core.errors import UserError
from kernelbot_core.packs.find import find_problems
from kernelbot_core.packs.load import load_problem
from kernelbot_core.plugins import registry

HEADER = (
    f"{'problem':11} {'sample':26} {'size-dtype':13} {'E us':>9} {'T-null us':>9} {'bound us':>8} "
    f"{'res %':>6} {'peak %':>6} {'vs base':>7}"
)


def expected(text: str) -> list[str]:
    """Statuses that a sample names."""
    found = re.search(r"expect:\s*([\w| ]+)", text)
    return [status.strip() for status in found[1].split("|")] if found else []


def rows(problem: str, sample: Path, report) -> list[str]:
    """One line for each timed cell."""
    lines = []
    for case in report.cases:
        if case.kind != "bench" or case.samples is None or case.stats is None or case.throughput is None:
            continue
        mid = {k: statistics.median(getattr(case.samples, k)) * 1e6 for k in ("E", "T", "T_null", "E_ref", "T_ref")}
        bound = mid["T"] - mid["T_ref"] + mid["E_ref"] - mid["E"]
        through = case.throughput
        lines.append(
            f"{problem:11} {sample.name:26} {case.size}-{case.dtype:8} {mid['E']:9.2f} "
            f"{mid['T'] - mid['T_null']:9.1f} {bound:8.1f} {100 * case.stats.resolution:6.2f} "
            f"{100 * (through.peak_fraction or 0):6.1f} {through.speedup or 0:7.3f}"
        )
    return lines


def main() -> int:
    """Judge all; the exit code is the number of surprises."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="auto")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--budget", type=float, default=400, help="seconds; samples that do not fit are named")
    parser.add_argument("--only", default="", help="regular expression over problem/kind/sample")
    args = parser.parse_args()
    found, began, surprises, results = registry(), time.monotonic(), 0, []
    print(HEADER)
    for folder in find_problems(found.pack_sources):
        problem = load_problem(folder)
        for kind in ("right", "wrong", "cheat"):
            for sample in sorted((folder / "samples" / kind).glob("*")):
                name = f"{problem.name}/{kind}/{sample.name}"
                if not sample.is_file() or not re.search(args.only, name):
                    continue
                if time.monotonic() - began > args.budget:
                    print(f"{name}: not run, the budget is used up")
                    continue
                wanted = ["passed"] if kind == "right" else expected(sample.read_text())
                t = time.monotonic()
                try:
                    mode = "benchmark" if kind == "right" else "test"
                    report = judge_file(found, problem, sample, device=args.device, mode=mode)
                except UserError as exc:
                    surprises += 1
                    print(f"SURPRISE {name}: {exc.message}")
                    continue
                unrun = report.status == "not_run" and sample.suffix == ".cu"  # built, and no GPU here
                ok = unrun or report.status in wanted or (not wanted and report.status != "passed")
                surprises += not ok
                took = time.monotonic() - t
                if kind != "right" or not ok:
                    verdict = "ok      " if ok else "SURPRISE"
                    print(f"{verdict} {name}: {report.status} ({report.reason[:110]}) {took:.1f} s")
                else:
                    print("\n".join([*rows(problem.name, sample, report), f"ok       {name} {took:.1f} s"]))
                results.append({"sample": name, "seconds": took, "report": msgspec.to_builtins(report)})
    print(f"{len(results)} samples, {surprises} surprises, {time.monotonic() - began:.0f} s")
    if args.out:
        args.out.parent.mkdir(parents=True, exist_ok=True)
        machine = {"python": platform.python_version(), "system": platform.platform(), "command": " ".join(sys.argv)}
        date = datetime.now(UTC).isoformat(timespec="seconds")
        document = {"date": date, "machine": machine, "results": results}
        args.out.write_text(json.dumps(document))
    return min(surprises, 100)


if __name__ == "__main__":
    sys.exit(main())
