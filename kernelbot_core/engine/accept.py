"""From a file and wishes to a job; every rule that does not need the submission to run is applied here."""

from __future__ import annotations

import base64
import getpass
import os
import time
from collections.abc import Sequence
from pathlib import Path

from kernelbot_core.engine.detect import detect_language, read_header
from kernelbot_core.engine.devices import choose_device
from kernelbot_core.errors import InfrastructureError, RefusedError, UsageError
from kernelbot_core.model.problem import Problem
from kernelbot_core.model.submission import Job, Mode, Selection, Submission
from kernelbot_core.plugins import Registry
from kernelbot_core.settings import Settings, load_settings


def accept_file(
    registry: Registry,
    problem: Problem,
    file: Path,
    *,
    settings: Settings | None = None,
    lang: str | None = None,
    device: str = "auto",
    mode: Mode = "benchmark",
    sizes: Sequence[str] = (),
    dtypes: Sequence[str] = (),
    seed: int | None = None,
    user: str | None = None,
) -> Job:
    """Make a job of a file.

    :raises UsageError: Something in the command is wrong or unknown.
    :raises RefusedError: The rules say no.
    """
    settings = settings or load_settings()
    source = read_source(file, settings.max_source)
    return accept(
        registry, problem, source, file.name, settings=settings, lang=lang, device=device, mode=mode, sizes=sizes,
        dtypes=dtypes, seed=seed, user=user,
    )  # fmt: skip


def accept(
    registry: Registry,
    problem: Problem,
    source: str,
    filename: str,
    *,
    settings: Settings,
    lang: str | None = None,
    device: str = "auto",
    mode: Mode = "benchmark",
    sizes: Sequence[str] = (),
    dtypes: Sequence[str] = (),
    seed: int | None = None,
    user: str | None = None,
) -> Job:
    """The same for source text that came by another way than a file."""
    header = read_header(source)
    if header.problem and header.problem != problem.name:
        raise UsageError(
            f"the header line of {filename} says problem {header.problem}, the command says {problem.name}",
            "make the two agree",
        )
    language = detect_language(filename, source, lang, registry.languages)
    allowed = problem.file.rules.languages
    if allowed and language not in allowed:
        raise UsageError(f"{problem.name} does not take {language}", f"it takes {', '.join(allowed)}")
    if mode == "ranked" and seed is not None:
        raise UsageError("--seed cannot be given in ranked mode", "ranked inputs are drawn from a secret seed")
    _, chosen = choose_device(registry, device, registry.languages[language])
    submission = Submission(
        problem=problem.name, language=language, filename=filename, source=source, user=user or login_name()
    )
    objections = registry.collect_objections("kernelbot_check_source", submission=submission, problem=problem)
    if objections:
        raise RefusedError("; ".join(objections), "change the submission")
    return Job(
        id=new_id(),
        mode=mode,
        submission=submission,
        problem=problem,
        device=chosen.id,
        seed=problem.file.inputs.seed if seed is None else seed,
        selection=Selection(
            sizes=known(sizes, problem.sizes, "size", problem.name),
            dtypes=known(dtypes, list(problem.bindings), "dtype", problem.name),
        ),
        limits=problem.file.limits,
        sandbox=choose_sandbox(registry, settings),
    )


def read_source(file: Path, cap: int) -> str:
    """Text of a submission's file.

    :param cap: Largest size in bytes.
    """
    if not file.exists():
        raise UsageError(f"{file}: there is no such file", "check the path")
    if not file.is_file():
        raise UsageError(f"{file}: is not a regular file", "give one source file")
    try:
        size = file.stat().st_size
        if size > cap:
            raise RefusedError(f"{file}: {size} bytes are more than the limit of {cap}", "submit source code only")
        text = file.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as exc:
        raise UsageError(f"{file}: byte {exc.start} is not UTF-8", "submit source code as text") from None
    except OSError as exc:
        raise UsageError(f"{file}: {exc.strerror}", "make it readable") from None
    if "\0" in text:
        raise UsageError(f"{file}: holds a NUL byte", "submit source code as text")
    if not text.strip():
        raise UsageError(f"{file}: is empty", "`kernelbot template PROBLEM --lang L` prints a starting point")
    return text


def known(wanted: Sequence[str], there: list[str], what: str, problem: str) -> list[str]:
    """Names that were asked for, each checked; in the order of the problem."""
    for name in wanted:
        if name not in there:
            raise UsageError(f"{problem} has no {what} {name}", f"it has {', '.join(there)}")
    return [name for name in there if name in wanted]


def choose_sandbox(registry: Registry, settings: Settings) -> str:
    """Name of the sandbox: the setting's, else what a plugin chooses, else the one with the most guarantees."""
    usable = [box for box in registry.sandboxes.values() if box.available().ok]
    if settings.sandbox != "auto":
        if settings.sandbox not in {box.name for box in usable}:
            raise UsageError(f"sandbox {settings.sandbox} cannot be used here", "see `kernelbot doctor`")
        name = settings.sandbox
    elif usable:
        chosen = registry.hook.kernelbot_select_sandbox(sandboxes=usable)
        name = chosen or max(usable, key=lambda box: len(box.guarantees)).name
    else:
        raise InfrastructureError("no sandbox works on this machine", "see `kernelbot doctor`")
    if settings.require_sandbox and name == "process":
        raise InfrastructureError(
            "a sandbox with walls is required, and only plain processes are there", "see `kernelbot doctor`"
        )
    return name


def login_name() -> str:
    """Who is submitting, when nobody says."""
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "unknown"


def new_id() -> str:
    """A short id that sorts by time: 5 bytes of milliseconds since 2020 and 3 random ones, in base 32."""
    stamp = int((time.time() - 1_577_836_800) * 1000)
    raw = stamp.to_bytes(6, "big")[1:] + os.urandom(3)
    return base64.b32hexencode(raw).decode().rstrip("=").lower()
