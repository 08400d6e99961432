"""Judges every sample of every pack on one device and prints one table; the raw reports go into one JSON file.

Run on a GPU box from a checkout, with kernelbot installed::

    python benchmarks/acceptance.py --device cuda:0 --out benchmarks/results/h200-acceptance.json --budget 400 --jobs 4

Right samples must pass; they are timed, one after the other. Wrong and cheat samples must be refused with one of the
statuses they name; they are tested before, ``--jobs`` at a time, since nothing is timed there, and so are the right
samples that ``--timed`` leaves out. ``bound`` is the time by
the judge's clock alone, ``excess`` what it says beyond the time, ``tol`` what of that can be noise, ``att`` tol over
time, ``res`` the smallest difference that the cell can tell, ``k`` how many processes measured it.
"""

from __future__ import annotations

import argparse
import json
import platform
import re
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import apart

from kernelbot_core.engine.run import judge_file
from kernelbot_core.errors import UserError
from kernelbot_core.model.nameless import nameless
from kernelbot_core.model.report import Report
from kernelbot_core.model.submission import Mode
from kernelbot_core.packs.find import find_problems
from kernelbot_core.packs.load import load_problem
from kernelbot_core.plugins import registry

HEADER = (
    f"{'problem':11} {'sample':26} {'language':8} {'size-dtype':13} {'time us':>9} {'k':>2} {'bound us':>9} "
    f"{'excess':>7} {'tol':>6} {'att %':>6} {'res %':>6} {'peak %':>6} {'base us':>9} {'vs base':>7} {'do_bench':>9}"
)


def expected(text: str) -> list[str]:
    """Statuses that a sample names."""
    found = re.search(r"expect:\s*([\w| ]+)", text)
    return [status.strip() for status in found[1].split("|")] if found else []


def rows(problem: str, sample: Path, report: Report) -> list[str]:
    """One line for each timed cell; a dash for what the device does not have."""
    lines = []
    for case in report.cases:
        if case.kind != "bench" or case.stats is None or case.throughput is None:
            continue
        through, found, loops = case.throughput, case.attestation, case.unattested
        baseline = case.stats.median * (through.speedup or 0)
        lines.append(
            f"{problem:11} {sample.name:26} {report.language:8} {case.size}-{case.dtype:8} "
            f"{us(case.stats.median):>9} {len(case.instances) or 1:2} {us(found and found.bound):>9} "
            f"{us(found and found.excess):>7} {us(found and found.tol):>6} "
            f"{share(found and found.attested_to):>6} {share(case.stats.resolution):>6} "
            f"{share(through.peak_fraction):>6} {us(baseline):>9} {through.speedup or 0:7.3f} "
            f"{us(loops and loops.do_bench):>9}"
        )
    return lines


def us(value: float | None) -> str:
    """Microseconds."""
    return "-" if value is None else f"{value * 1e6:.2f}"


def share(value: float | None) -> str:
    """Per cent."""
    return "-" if value is None else f"{100 * value:.2f}"


@dataclass(frozen=True)
class Trial:
    """One sample to be judged."""

    folder: Path
    kind: str
    sample: Path

    @property
    def name(self) -> str:
        """``problem/kind/file``."""
        return f"{self.folder.name}/{self.kind}/{self.sample.name}"


@dataclass(frozen=True)
class Outcome:
    """What came of it."""

    lines: list[str]
    surprise: bool
    result: dict[str, object] | None = None


def trials(only: str) -> list[Trial]:
    """Samples of all packs whose name matches."""
    found = [
        Trial(folder, kind, sample)
        for folder in find_problems(registry().pack_sources)
        for kind in ("right", "wrong", "cheat")
        for sample in sorted((folder / "samples" / kind).glob("*"))
        if sample.is_file()
    ]
    return [trial for trial in found if re.search(only, trial.name)]


def judge(trial: Trial, device: str, mode: Mode) -> Outcome:
    """Judge one sample and hold the report against what the sample promises."""
    problem, began = load_problem(trial.folder), time.monotonic()
    wanted = ["passed"] if trial.kind == "right" else expected(trial.sample.read_text())
    try:
        report = judge_file(registry(), problem, trial.sample, device=device, mode=mode)
    except UserError as exc:
        return Outcome([f"SURPRISE {trial.name}: {exc.message}"], surprise=True)
    took = time.monotonic() - began
    unrun = report.status == "not_run" and trial.sample.suffix == ".cu"  # built, and no GPU here
    ok = unrun or report.status in wanted or (not wanted and report.status != "passed")
    result = {"sample": trial.name, "seconds": took, "report": nameless(report)}
    table = rows(problem.name, trial.sample, report) if trial.kind == "right" else []
    if trial.kind == "right" and ok:
        return Outcome([*table, f"ok       {trial.name} {took:.1f} s"], False, result)
    verdict = "ok      " if ok else "SURPRISE"
    line = f"{verdict} {trial.name}: {report.status} ({report.reason[:180]}) {took:.1f} s"
    return Outcome([*table, line], not ok, result)


def run(args: argparse.Namespace) -> Iterator[Outcome]:
    """Judge everything within the budget."""
    began, todo = time.monotonic(), trials(args.only)
    timed = [trial for trial in todo if trial.kind == "right" and re.search(args.timed, trial.name)]
    tested = [trial for trial in todo if trial not in timed]
    devices = args.device.split(",")
    yield from apart.each(partial(judge, device=devices[0], mode="test"), tested, args.jobs)

    def room(_: Trial) -> bool:
        return bool(time.monotonic() - began <= args.budget)

    for trial, outcome in zip(timed, apart.over(partial(judge, mode=args.mode), timed, devices, room), strict=True):
        yield outcome or Outcome([f"{trial.name}: not run, the budget is used up"], surprise=False)


def main() -> int:
    """Judge all; the exit code is the number of surprises."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="cpu", help="cuda:0, or several: cuda:0,cuda:1")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--budget", type=float, default=400, help="seconds; right samples that do not fit are named")
    parser.add_argument("--only", default="", help="regular expression over problem/kind/sample")
    parser.add_argument("--timed", default="", help="right samples that do not match this are tested only")
    parser.add_argument("--jobs", type=int, default=1, help="samples tested at a time")
    parser.add_argument("--mode", choices=["test", "benchmark", "ranked"], default="benchmark", help="of right samples")
    args = parser.parse_args()
    began, surprises, results = time.monotonic(), 0, []
    print(HEADER)
    for outcome in run(args):
        print("\n".join(outcome.lines), flush=True)
        surprises += outcome.surprise
        results += [outcome.result] if outcome.result else []
        if args.out:
            save(args.out, results)
    print(f"{len(results)} samples, {surprises} surprises, {time.monotonic() - began:.0f} s")
    return min(surprises, 100)


def save(out: Path, results: list[dict[str, object]]) -> None:
    """Write what there is so far: a run that is broken off leaves its part."""
    out.parent.mkdir(parents=True, exist_ok=True)
    machine = {"python": platform.python_version(), "system": platform.platform(), "command": " ".join(sys.argv)}
    date = datetime.now(UTC).isoformat(timespec="seconds")
    out.write_text(json.dumps({"date": date, "machine": machine, "results": results}))


if __name__ == "__main__":
    sys.exit(main())
