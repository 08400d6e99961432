"""The samples of a pack before the real judge: right ones pass, wrong and cheating ones do not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from kernelbot_core.engine.accept import read_source
from kernelbot_core.engine.detect import detect_language
from kernelbot_core.engine.run import judge_file
from kernelbot_core.errors import RefusedError, UserError
from kernelbot_core.model.problem import Problem
from kernelbot_core.model.report import Report, Status
from kernelbot_core.packs.finding import Finding
from kernelbot_core.packs.load import load_problem
from kernelbot_core.plugins import Registry, registry
from kernelbot_core.settings import Settings, load_settings

KINDS = ("right", "wrong", "cheat")
STATUSES = frozenset(get_args(Status))
NO_VERDICT = frozenset({"passed", "not_run", "cancelled", "infrastructure"})
"""What a wrong or cheating sample may not end in."""
_EXPECT = re.compile(r"^(?:#|//)[ \t]*expect:(.*)$", re.MULTILINE)


@dataclass(frozen=True)
class SampleOutcome:
    """What became of one sample."""

    ok: bool
    status: str
    """The judge's; ``not_run`` where this machine cannot build or run it, ``refused`` where it was not accepted."""
    expected: str
    """``passed``, ``wrong|crashed`` or ``anything but passed``."""
    reason: str
    """One line."""


def samples(folder: Path) -> list[Path]:
    """Files of ``samples/right``, ``wrong`` and ``cheat``, in this order."""
    found = [path for kind in KINDS for path in sorted((folder / "samples" / kind).glob("*"))]
    return [path for path in found if path.is_file() and not path.name.startswith((".", "_"))]


def judge_sample(folder: Path, sample: Path, settings: Settings | None = None) -> SampleOutcome:
    """Judge one sample in test mode on the best device that is here.

    :param folder: The pack.
    :param sample: A file in its ``samples/right``, ``wrong`` or ``cheat``.
    :param settings: Instead of those of this machine.
    :raises PackError: The pack is broken.
    """
    problem, found = load_problem(folder), registry()
    right = sample.parent.name == "right"
    try:
        settings = settings or load_settings()
        source = read_source(sample, settings.max_source)
        wanted, words = expected(source, right=right)
        missing = _missing(found, sample, source)
        if missing:
            return SampleOutcome(True, "not_run", words, missing)
        report = judge_file(found, problem, sample, settings=settings, mode="test")
    except UserError as exc:
        status = "refused" if isinstance(exc, RefusedError) else "not accepted"
        return SampleOutcome(status == "refused" and not right, status, "a verdict", exc.message)
    if report.status == "not_run":
        return SampleOutcome(True, "not_run", words, _reason(report))
    return SampleOutcome(report.status in wanted, report.status, words, _reason(report))


def expected(source: str, *, right: bool) -> tuple[frozenset[str], str]:
    """Statuses that a sample may end in, and the same in words.

    :raises UserError: Its ``expect:`` line names something that no such sample may end in.
    """
    if right:
        return frozenset({"passed"}), "passed"
    allowed = STATUSES - NO_VERDICT
    line = _EXPECT.search(source)
    if line is None:
        return allowed, "anything but passed"
    names = frozenset(name.strip() for name in line[1].split("|"))
    if not names <= allowed:
        odd = ", ".join(repr(name) for name in sorted(names - allowed))
        raise UserError(f"the expect line names {odd}; it takes {', '.join(sorted(allowed))}")
    return names, "|".join(sorted(names))


def check_samples(problem: Problem, settings: Settings | None = None) -> Iterator[Finding]:
    """Judge every sample; a pack without right or without wrong ones is not whole."""
    folder = Path(problem.path)
    found = samples(folder)
    for kind in KINDS:
        if not any(path.parent.name == kind for path in found):
            why = f"{folder / 'samples' / kind}: there is no sample; write one, a pack has some of each kind"
            yield Finding("sample", f"{kind}/", "verdict", False, why)
    for path in found:
        outcome = judge_sample(folder, path, settings)
        ok = None if outcome.ok and outcome.status == "not_run" else outcome.ok
        text = outcome.status if ok else f"{outcome.status}, expected {outcome.expected}: {outcome.reason}"
        name = f"{path.parent.name}/{path.name}"
        yield Finding("sample", name, "verdict", ok, outcome.reason if ok is None else text)


def _missing(found: Registry, sample: Path, source: str) -> str:
    """Why this machine cannot build the sample's language; empty when it can."""
    language = found.languages[detect_language(sample.name, source, None, found.languages)]
    here = language.available()
    return "" if here.ok else f"neither built nor run: {language.name}: {here.why}"


def _reason(report: Report) -> str:
    return " ".join(report.reason.split())
