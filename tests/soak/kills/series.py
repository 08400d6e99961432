"""Kills one after the other, each followed by a whole job that must pass."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from kills import job as jobs
from kills.kinds import BLAMED
from kills.leftovers import Before, adopting

ROOT = Path(__file__).resolve().parents[3]

PASSED, VERDICT, INFRASTRUCTURE = 0, 1, 3
"""Exit codes of ``kernelbot run``."""
TRIES = 5
SHORTER = 0.6
"""Of a kind's life as it was measured, after a kill that came too late: the machine may have been slower then."""


def series(
    scratch: Path, kinds: Sequence[str], *, seed: int, sandbox: str, modes: Sequence[str] = ("benchmark", "test")
) -> Iterator[dict[str, Any]]:
    """Kill one process of each of ``kinds`` in turn; yields what came of it.

    :param modes: Of the jobs that are killed. A baseline runs in ``benchmark`` only.

    ``blamed`` is true when a verdict against the submission came out although nothing of its own was killed.
    """
    rng = random.Random(seed)
    with adopting():
        lives = {mode: jobs.lives(scratch, mode, sandbox) for mode in modes}
        for kind in kinds:
            yield _once(scratch, kind, lives, rng, sandbox)


def _once(
    scratch: Path, kind: str, lives: dict[str, dict[str, float]], rng: random.Random, sandbox: str
) -> dict[str, Any]:
    mode = "benchmark" if kind == "baseline" else rng.choice(sorted(lives))
    before = Before(scratch)
    for _ in range(TRIES):
        job = jobs.start(scratch, mode, sandbox)
        after = jobs.kill_one(job, kind, lives[mode][kind], rng)
        code = job.wait()
        if after is not None:
            break
        lives[mode][kind] *= SHORTER
    else:
        raise RuntimeError(f"no {kind} could be caught alive in {TRIES} jobs")
    text, (left, seconds) = job.text(), before.settled(job.pids)
    following = jobs.start(scratch, "test", sandbox)
    passed = following.wait() == PASSED
    left += before.settled(following.pids)[0]
    return {
        "kind": kind, "mode": mode, "after_s": round(after, 3), "exit": code, "left": left,
        "clean_s": round(seconds, 3), "blamed": code == VERDICT and kind not in BLAMED, "next": passed,
        "said": _end(text), "next_said": "" if passed else _end(following.text()),
    }  # fmt: skip


def _end(text: str) -> str:
    text = text.replace(f"{ROOT}/", "")  # a result file speaks of no machine's folders
    return " | ".join(line.strip() for line in text.splitlines() if line.strip())[-400:]
