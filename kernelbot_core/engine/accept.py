"""From a file and wishes to a job; every rule that does not need the submission to run is applied here."""

from __future__ import annotations

import base64
import os
import time
from collections.abc import Sequence
from pathlib import Path

from kernelbot_core.engine.detect import Header, detect_language, read_header
from kernelbot_core.engine.devices import AUTO, all_devices, choose_device, find_device
from kernelbot_core.engine.sandbox import choose_sandbox
from kernelbot_core.engine.sanitize import sanitized_limits
from kernelbot_core.engine.user import checked_user
from kernelbot_core.errors import RefusedError, UsageError
from kernelbot_core.interfaces.language import Language
from kernelbot_core.model.problem import Problem
from kernelbot_core.model.submission import Job, Measure, Mode, Selection, Submission
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
    sanitize: bool = False,
    measure: Measure | None = None,
) -> Job:
    """Make a job of a file.

    :raises UsageError: Something in the command is wrong or unknown.
    :raises RefusedError: The rules say no.
    """
    settings = settings or load_settings()
    source = read_source(file, settings.max_source)
    return accept(
        registry, problem, source, readable(file.name), settings=settings, lang=lang, device=device, mode=mode,
        sizes=sizes, dtypes=dtypes, seed=seed, user=user, sanitize=sanitize, measure=measure,
    )  # fmt: skip


def readable(name: str) -> str:
    """A file name as UTF-8 text: bytes of another encoding become question marks, since JSON cannot carry them."""
    return os.fsencode(name).decode("utf-8", "replace")


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
    sanitize: bool = False,
    measure: Measure | None = None,
) -> Job:
    """The same for source text that came by another way than a file."""
    if mode == "ranked" and seed is not None:
        raise UsageError("--seed cannot be given in ranked mode", "ranked inputs are drawn from a secret seed")
    header = read_header(source, filename)
    _check_header(header, problem, filename)
    language = choose_language(registry, problem, filename, source, lang)
    submission = Submission(
        problem=problem.name, language=language.name, filename=filename, source=source, user=checked_user(user)
    )
    selection = Selection(
        sizes=known(sizes, problem.sizes, "size", problem.name),
        dtypes=known(dtypes, list(problem.bindings), "dtype", problem.name),
    )
    chosen = _device(registry, device, header.gpu, language)
    limits = problem.file.limits
    if sanitize:
        limits = sanitized_limits(language, find_device(registry, chosen)[1].kind, mode, limits)
    objections = registry.collect_objections("kernelbot_check_source", submission=submission, problem=problem)
    if objections:
        raise RefusedError("; ".join(objections), "change the submission")
    return Job(
        id=new_id(), mode=mode, submission=submission, problem=problem, device=chosen,
        seed=problem.file.inputs.seed if seed is None else seed, selection=selection, limits=limits,
        sandbox=choose_sandbox(registry, settings), sanitize=sanitize,
        measure=checked_measure(registry, measure or Measure(), mode, chosen),
    )  # fmt: skip


def checked_measure(registry: Registry, measure: Measure, mode: Mode, device: str) -> Measure:
    """How to measure, where that is possible.

    :raises UsageError: A flush by writing in ranked mode, or where there is nothing to flush.
    """
    if mode == "ranked" and not measure.refuse:
        raise UsageError("a ranked time has to be supported by the judge's clock", "leave refuse as it is")
    if measure.flush == "write" and mode == "ranked":
        raise UsageError("--flush write cannot be given in ranked mode", "it is for comparing with other tools")
    if measure.flush == "write" and find_device(registry, device)[1].kind != "gpu":
        raise UsageError(f"--flush write is for GPUs, the device is {device}", "leave it out")
    return measure


def _check_header(header: Header, problem: Problem, filename: str) -> None:
    if header.problem and header.problem != problem.name:
        raise UsageError(
            f"the header line of {filename} says problem {header.problem}, the command says {problem.name}",
            "make the two agree",
        )
    known(header.dtypes or (), list(problem.bindings), "dtype", f"the header line of {filename}: {problem.name}")


def choose_language(registry: Registry, problem: Problem, filename: str, source: str, lang: str | None) -> Language:
    """The language of a submission, which the problem takes and this machine can build.

    :raises UsageError: Unknown, not taken, or its toolchain is missing; the hint says what would help.
    """
    name = detect_language(filename, source, lang, registry.languages)
    allowed = problem.file.rules.languages
    if allowed and name not in allowed:
        raise UsageError(f"{problem.name} does not take {name}", f"it takes {', '.join(allowed)}")
    language = registry.languages[name]
    here = language.available()
    if not here.ok:
        raise UsageError(f"{name} cannot be used here: {here.why}", here.fix)
    return language


def _device(registry: Registry, wanted: str, label: str | None, language: Language) -> str:
    """Id of the device: the command's, else the one whose board the header line names, else the best there is."""
    if wanted != AUTO or label is None:
        return choose_device(registry, wanted, language)[1].id
    devices = all_devices(registry)
    found = [device.id for device in devices if device.label.lower() == label.lower()]
    if not found:
        here = ", ".join(f"{device.id} ({device.label})" for device in devices) or "none"
        raise UsageError(f"the header line asks for {label}, which is not here", f"choose with --device: {here}")
    return found[0]


def read_source(file: Path, cap: int) -> str:
    """Text of a submission's file.

    :param cap: Largest size in bytes.
    :raises UsageError: It is not one readable file of UTF-8 text, or is empty.
    :raises RefusedError: It is larger than ``cap``.
    """
    try:
        if not file.exists():
            raise UsageError(f"{file}: there is no such file", "check the path")
        if not file.is_file():
            what = "a folder" if file.is_dir() else "not a regular file"
            raise UsageError(f"{file}: is {what}", "give one source file")
        with file.open("rb") as opened:
            data = opened.read(cap + 1)
    except (OSError, ValueError) as exc:  # ValueError: a NUL in the path
        raise UsageError(f"{file}: {getattr(exc, 'strerror', None) or exc}", "give one readable source file") from None
    return decode_source(data, str(file), cap)


def decode_source(data: bytes, name: str, cap: int) -> str:
    """The same for bytes that came by another way than a file.

    :param name: What messages call it.
    :raises UsageError: It is not UTF-8 text, or is empty.
    :raises RefusedError: It is larger than ``cap`` bytes.
    """
    if len(data) > cap:
        raise RefusedError(f"{name}: more than the limit of {cap} bytes", "submit source code only")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as exc:
        raise UsageError(f"{name}: byte {exc.start} is not UTF-8", "submit source code as text") from None
    if "\0" in text:
        raise UsageError(f"{name}: holds a NUL byte", "submit source code as text")
    if not text.strip():
        raise UsageError(f"{name}: is empty", "`kernelbot template PROBLEM --lang L` prints a starting point")
    return text


def known(wanted: Sequence[str], there: list[str], what: str, problem: str) -> list[str]:
    """Names that were asked for, each checked; in the order of the problem."""
    for name in wanted:
        if name not in there:
            raise UsageError(f"{problem} has no {what} {name}", f"it has {', '.join(there)}")
    return [name for name in there if name in wanted]


def new_id() -> str:
    """A short id that sorts by time: 5 bytes of milliseconds since 2020 and 3 random ones, in base 32."""
    stamp = int((time.time() - 1_577_836_800) * 1000)
    raw = stamp.to_bytes(6, "big")[1:] + os.urandom(3)
    return base64.b32hexencode(raw).decode().rstrip("=").lower()
