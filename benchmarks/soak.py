"""kill -9 of any process of a real job at a random moment: what is left, and is the next job fine?

    python benchmarks/soak.py --runs 200 --out benchmarks/results/DATE-soak-cpu.json

Every kind of process has its turn, in jobs on the processor's smallest cell. Prints one line for each kill and one for
each kind. Exit code 1 when anything is left, a next job does not pass, or the submission is blamed for the machine.
``--seed`` gives the same moments again, as far as the machine's load allows.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import platform
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "soak"))

from kills.kinds import KINDS
from kills.series import series

from kernelbot_core.plugins import registry


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=54, help="number of kills")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--parallel", type=int, default=1, help="jobs at the same time, each below a folder of its own")
    parser.add_argument("--sandbox", default="bwrap", choices=("bwrap", "process"))
    parser.add_argument("--kinds", default=",".join(KINDS), help="only these, comma between them")
    parser.add_argument("--out", type=Path, help="result file; by default under benchmarks/results")
    return parser.parse_args()


def summary(runs):
    """Per kind: kills, leftovers, next jobs that passed, verdicts that blame the submission, longest clean-up."""
    table = {}
    for run in runs:
        row = table.setdefault(run["kind"], {"kills": 0, "leftovers": 0, "next ok": 0, "blamed": 0, "clean_s": 0.0})
        row["kills"] += 1
        row["leftovers"] += len(run["left"])
        row["next ok"] += run["next"]
        row["blamed"] += run["blamed"]
        row["clean_s"] = max(row["clean_s"], run["clean_s"])
    return table


def write(path, args, runs, table):
    path.write_text(json.dumps({
        "date": datetime.now(UTC).isoformat(timespec="seconds"), "parallel": args.parallel, "sandbox": args.sandbox,
        "about": registry().sandboxes[args.sandbox].about(),
        "machine": f"{platform.system()} {platform.release()}, {os.cpu_count()} cores", "kinds": table, "runs": runs,
    }, indent=1) + "\n")  # fmt: skip


def lane(lines, wanted, seed, sandbox):
    """A series in a process of its own: the orphans of its jobs, and nobody else's, become its children."""
    try:
        with tempfile.TemporaryDirectory(prefix="kernelbot-soak-") as folder:
            scratch = Path(folder, "scratch")
            scratch.mkdir()
            for run in series(scratch, wanted, seed=seed, sandbox=sandbox):
                lines.put(run | {"seed": seed})
    finally:
        lines.put(None)


def heard(args, wanted):
    """What came of each kill, as soon as it is known."""
    processes = multiprocessing.get_context("spawn")
    lines = processes.Queue()
    lanes = [
        processes.Process(target=lane, args=(lines, wanted[number :: args.parallel], args.seed + number, args.sandbox))
        for number in range(args.parallel)
    ]
    for each in lanes:
        each.start()
    for _ in lanes:
        yield from iter(lines.get, None)
    for each in lanes:
        each.join()
    if any(each.exitcode for each in lanes):
        sys.exit("soak: a series broke off, see above")


def show(number, run):
    good = not run["left"] and run["next"] and not run["blamed"]
    print(f"{number:4d} {run['kind']:10s} {run['mode']:9s} after {run['after_s']:6.2f} s  exit {run['exit']:3d}"
          f"  clean in {run['clean_s']:5.2f} s  {'ok' if good else run}", flush=True)  # fmt: skip


def main():
    args = options()
    kinds = [kind for kind in args.kinds.split(",") if args.sandbox != "process" or kind != "sandbox"]
    if unknown := sorted(set(kinds) - set(KINDS)):
        sys.exit(f"soak: --kinds: there is no {unknown[0]}; known: {', '.join(KINDS)}")
    out = args.out or Path(__file__).parent / f"results/{datetime.now(UTC):%Y-%m-%d}-soak-cpu.json"
    runs = []
    for run in heard(args, [kinds[number % len(kinds)] for number in range(args.runs)]):
        runs.append(run)
        show(len(runs), run)
        write(out, args, runs, summary(runs))
    table = summary(runs)
    for kind, row in table.items():
        print(f"{kind:10s} kills {row['kills']:3d}  leftovers {row['leftovers']:3d}  next job ok {row['next ok']:3d}"
              f"  blamed {row['blamed']:3d}  cleaned up within {row['clean_s']:.2f} s")  # fmt: skip
    sys.exit(any(row["leftovers"] or row["blamed"] or row["next ok"] < row["kills"] for row in table.values()))


if __name__ == "__main__":
    main()
