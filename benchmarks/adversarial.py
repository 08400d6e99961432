"""The adversarial suite with its times: what each cheat gets out of a naive harness, and what out of the judge.

``make adversarial`` runs the processor's part. On a GPU box, from a checkout with kernelbot installed::

    python benchmarks/adversarial.py --device cuda:0 --jobs 6 --budget 500 --out benchmarks/results/adversarial.json
    python benchmarks/adversarial.py --device cuda:0 --no-cheats --zoo --sweep

Columns: the share of the honest time that the naive harness was made to overlook; the judge's verdict; the undetected
advantage, in microseconds and as a share of honest work in the same mode, beyond the cells' published resolutions.
Exit code 1 when a cheat is accepted with an advantage beyond what the published attestation leaves open, gets another
verdict than its file names, or does not live in the naive harness, and when an honest kernel is refused.
"""

from __future__ import annotations

import argparse
import functools
import json
import platform
import re
import sys
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import apart
import msgspec

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "adversarial"))

from adversary import catalog, sweep, trial, zoo

from kernelbot_core.cli import errors_in_words
from kernelbot_core.engine.devices import find_device
from kernelbot_core.plugins import registry

HEADER = f"{'cheat':46} {'naive':>22} {'ours':13} {'advantage':>20}   reason"


@dataclass
class Run:
    """What came of it."""

    devices: list[str]
    budget: float
    only: str
    once: bool
    mode: str
    out: Path | None
    name: str
    began: float = field(default_factory=time.monotonic)
    cheats: list[dict] = field(default_factory=list)
    zoo: list[dict] = field(default_factory=list)
    sweep: list[dict] = field(default_factory=list)
    surprises: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)

    @property
    def device(self) -> str:
        """The first one, for what needs one only."""
        return self.devices[0]

    def room(self, case: catalog.Case) -> bool:
        """Whether there is time for one more; what is left out is named."""
        if time.monotonic() - self.began < self.budget:
            return True
        self.left_out.append(case.name)
        return False

    def wanted(self, cases: list[catalog.Case]) -> list[catalog.Case]:
        """Those of this device that ``--only`` names."""
        found = [case for case in trial.selected(cases, self.device) if re.search(self.only, case.name)]
        found = [case for case in found if not self.mode or case.mode == self.mode or case.kind == "honest"]
        return list({case.path: case for case in reversed(found)}.values())[::-1] if self.once else found

    def save(self) -> None:
        """Write what there is so far: a run that is broken off leaves its part. Ids of the machine stay out of it."""
        if self.out is None:
            return
        self.out.parent.mkdir(parents=True, exist_ok=True)
        document = {
            "what": "adversarial", "at": datetime.now(UTC).isoformat(timespec="seconds"), "unit": "seconds",
            "device": self.name, "python": platform.python_version(), "command": " ".join(sys.argv[1:]),
            "cheats": self.cheats, "zoo": self.zoo, "sweep": self.sweep, "surprises": self.surprises,
            "left_out": self.left_out,
        }  # fmt: skip
        self.out.write_text(json.dumps(document, indent=1))


def attack(run: Run, jobs: int) -> None:
    """Every cheat before both harnesses; first the naive one, which measures, then the judge."""
    cases = run.wanted(catalog.cheats())
    with trial.NaiveHarness(run.device) as naive:
        easy = {case.name: naive.run(case) for case in cases}
    print(HEADER)
    tested = [case for case in cases if case.mode == "test"]
    timed = [case for case in cases if case.mode != "test"]
    for case, outcome in zip(tested, apart.each(partial(judged, device=run.device), tested, jobs), strict=True):
        note(run, case, easy[case.name], outcome)
    for case, seen in zip(timed, apart.over(judged, timed, run.devices, run.room), strict=True):
        if seen is not None:
            note(run, case, easy[case.name], seen)


def judged(case: catalog.Case, device: str) -> trial.Outcome:
    """What the judge makes of one cheat."""
    return judge_on(device).run(case)


@functools.cache
def judge_on(device: str) -> trial.Judge:
    """Remembers honest times."""
    return trial.Judge(device)


def note(run: Run, case: catalog.Case, easy: trial.Naive | None, outcome: trial.Outcome) -> None:
    """Print and keep one row."""
    alive = easy is None or easy.lives(case)
    # Where copying an old answer costs as much as the work, as in a softmax, there is nothing to gain.
    others = {row["alive"] for row in run.cheats if row["cheat"].split(":")[0] == case.name.split(":")[0]}
    alive = alive or (True in others and easy is not None and easy.accepted)
    print(line(case, easy, outcome, alive=alive), flush=True)
    run.cheats.append(row(case, easy, outcome, alive=alive))
    run.save()
    if not outcome.ok:
        run.surprises.append(f"{case.name}: {outcome.said} ({outcome.verdict.reason[:120]})")
    if not alive:
        run.surprises.append(f"{case.name}: does not live in the naive harness ({easy})")


def line(case: catalog.Case, easy: trial.Naive | None, outcome: trial.Outcome, *, alive: bool) -> str:
    """One row of the table."""
    if easy is None:
        said = "no such target"
    elif not alive:
        said = "DEAD"
    else:
        said = f"accepted, {case.gain}" if case.gain != "time" else f"accepted, -{100 * (easy.gain or 0):.0f} %"
    honest = outcome.honest.seconds if outcome.honest else None
    share = f" {100 * outcome.advantage / honest:6.2f} %" if honest else "   0.00 %"
    gained = f"{outcome.advantage * 1e6:9.2f} us{share}"
    mark = " " if outcome.ok and alive else "!"
    return f"{case.name:46} {said:>22} {outcome.said:13} {gained:>20} {mark} {outcome.verdict.reason[:70]}"


def row(case: catalog.Case, easy: trial.Naive | None, outcome: trial.Outcome, *, alive: bool) -> dict:
    """The same for the result file; seconds."""
    return {
        "cheat": case.name, "kind": case.kind, "problem": case.problem, "language": case.language, "tries": case.tries,
        "gain": case.gain, "mode": case.mode, "naive": msgspec.to_builtins(easy), "alive": alive,
        "naive_gain": easy.gain if easy else None, "said": outcome.said, "expected": sorted(outcome.expected),
        "ok": outcome.ok, "advantage": outcome.advantage, "excused": outcome.excused, "gains": outcome.gains,
        "verdict": msgspec.to_builtins(outcome.verdict), "honest": msgspec.to_builtins(outcome.honest),
    }  # fmt: skip


def welcome(run: Run) -> None:
    """The honest zoo: everything passes, and on a GPU the number is the one of a plain loop."""
    cases = run.wanted(catalog.honest())
    for case, seen in zip(cases, apart.over(zoo.visit, cases, run.devices, run.room), strict=True):
        if seen is None:
            continue
        print(seen.line(), flush=True)
        run.zoo.append(msgspec.to_builtins(seen))
        run.save()
        if not seen.ok:
            run.surprises.append(f"{case.name}: {seen.why}")


def lateness(run: Run, forms: list[str], microseconds: list[float]) -> None:
    """The largest undetected advantage against lateness, for kernels of several lengths."""
    for number, form in enumerate(forms):
        now = time.monotonic()
        ends = now + max(run.began + run.budget - now, 0.0) / (len(forms) - number)
        for point in sweep.points(run.device, form, lambda ends=ends: time.monotonic() < ends, microseconds):
            print(point.line(), flush=True)
            run.sweep.append(msgspec.to_builtins(point))
            run.save()
            if point.claimed is None and not point.late:
                run.surprises.append(f"{point.size}: the honest kernel of the sweep ended with {point.status}")
    print(sweep.summary(run.sweep))


def main() -> int:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="cpu", help="cuda:0, or several: cuda:0,cuda:1")
    parser.add_argument("--budget", type=float, default=3600, help="seconds; what does not fit is named")
    parser.add_argument("--only", default="", help="regular expression over kind/file:problem")
    parser.add_argument("--once", action="store_true", help="one problem of each file")
    parser.add_argument("--mode", default="", choices=["", "test", "benchmark"], help="cheats of one mode")
    parser.add_argument("--jobs", type=int, default=1, help="cheats that are not timed, at a time")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--no-cheats", action="store_true", help="only what --zoo and --sweep ask for")
    parser.add_argument("--zoo", action="store_true", help="the honest kernels too")
    parser.add_argument("--sweep", action="store_true", help="the late finisher from 1 us to 1 ms (GPU)")
    parser.add_argument("--form", action="append", choices=sweep.FORMS, help="of the sweep; both when left out")
    parser.add_argument(
        "--late", action="append", type=float, help="microseconds, of the sweep; 1 to 1000 when left out"
    )
    args = parser.parse_args()
    devices = args.device.split(",")
    _, device = find_device(registry(), devices[0])
    run = Run(devices, args.budget, args.only, args.once, args.mode, args.out, device.name)
    if not args.no_cheats:
        attack(run, args.jobs)
    if args.zoo:
        welcome(run)
    if args.sweep:
        lateness(run, args.form or list(sweep.FORMS), args.late or list(sweep.LATENESS_US))
    print(f"{len(run.cheats)} cheats, {len(run.zoo)} honest kernels, {time.monotonic() - run.began:.0f} s")
    print("\n".join(f"SURPRISE {text}" for text in run.surprises) or "no surprises")
    if run.left_out:
        print(f"not run, the budget is used up: {', '.join(run.left_out)}")
    run.save()
    return 1 if run.surprises else 0


if __name__ == "__main__":
    with errors_in_words():
        sys.exit(main())
