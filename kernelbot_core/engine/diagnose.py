"""What works on this machine, what does not, and what would help."""

from __future__ import annotations

import contextlib
import functools
import importlib.metadata
import platform
import shutil
import subprocess
from collections.abc import Callable, Iterator
from typing import Any

from msgspec import Struct

from kernelbot_core.engine.archive import check_store, read_boards
from kernelbot_core.engine.bytecode import check_bytecode
from kernelbot_core.engine.sandbox import choose_sandbox
from kernelbot_core.errors import InfrastructureError, PackError, UsageError, UserError
from kernelbot_core.interfaces.sandbox import walled
from kernelbot_core.model.device import Availability
from kernelbot_core.packs.find import find_problems
from kernelbot_core.packs.load import load_problem
from kernelbot_core.plugins import DISABLE, Broken, Registry
from kernelbot_core.settings import Settings, load_settings, misspelt_variables, origin
from kernelbot_core.text import without_password

TOOLS = ("torch", "triton", "numpy", "pytest", "pytest-benchmark", "hypothesis")
NEEDED = ("languages", "devices", "sandboxes", "executors", "stores", "packs")
"""Without one of each nothing can be judged."""
AUTHOR = "report this to the plugin's author"


class Finding(Struct, frozen=True, kw_only=True):
    """One thing that was looked at."""

    kind: str
    """``python``, ``tools``, ``settings``, ``plugins``, ``languages`` ..."""
    name: str
    ok: bool
    detail: str = ""
    """Version, or why it does not work."""
    fix: str = ""
    """A command or a sentence that would make it work."""
    counts: bool = True
    """False for what works and is not enough: a sandbox without walls."""


def diagnose(registry: Registry) -> list[Finding]:
    """Look at everything; nothing that is found broken stops the look at the rest. Imports no torch."""
    return [
        Finding(kind="python", name="python", ok=True, detail=f"{platform.python_version()} on {platform.platform()}"),
        *_tools(), *_settings(registry),
        *[Finding(kind="plugins", name=f"{b.name} ({b.dist})", ok=False, detail=b.why, fix=_repair(registry, b))
          for b in registry.broken],
        *_languages(registry), *_devices(registry),
        *_available("sandboxes", registry.sandboxes, _promises),
        *_available("executors", registry.executors, lambda e: f"{e.capacity()} job at a time"),
        *[Finding(kind="stores", name=f"{scheme}://", ok=True, detail=_doc(store))
          for scheme, store in registry.stores.items()],
        *_packs(registry),
    ]  # fmt: skip


def works(findings: list[Finding]) -> bool:
    """Whether a kernel can be judged and ranked here at all."""
    return all(any(f.ok and f.counts for f in findings if f.kind == kind) for kind in NEEDED)


def _tools() -> Iterator[Finding]:
    for name in TOOLS:
        try:
            yield Finding(kind="tools", name=name, ok=True, detail=importlib.metadata.version(name))
        except importlib.metadata.PackageNotFoundError:
            yield Finding(kind="tools", name=name, ok=False, detail="not installed", fix=f"pip install {name}")
    compiled = check_bytecode()
    detail = compiled.why or "installed packages are compiled"
    yield Finding(kind="tools", name="bytecode", ok=compiled.ok, detail=detail, fix=compiled.fix)
    nvcc = shutil.which("nvcc")
    if nvcc is None:
        yield Finding(kind="tools", name="nvcc", ok=False, detail="not on PATH", fix="install the CUDA toolkit")
        return
    said = subprocess.run([nvcc, "--version"], capture_output=True, text=True, timeout=30, check=False).stdout
    release = next((line.strip() for line in said.splitlines() if "release" in line), "no version")
    yield Finding(kind="tools", name="nvcc", ok=True, detail=f"{release} ({nvcc})")


def _settings(registry: Registry) -> Iterator[Finding]:
    """Every command that judges or reads a store ends with one of these errors, so that they belong here."""
    try:
        found = load_settings()
    except UsageError as exc:
        yield Finding(kind="settings", name="settings", ok=False, detail=exc.message, fix=exc.hint)
        return
    detail = without_password(f"store {found.store}, sandbox {found.sandbox}")
    yield Finding(kind="settings", name="settings", ok=True, detail=detail)
    for name, meant in misspelt_variables().items():
        yield Finding(
            kind="settings", name=name, ok=False, detail="no variable of that name is read", fix=f"write {meant}"
        )
    yield from _tried("sandbox", functools.partial(_check_sandbox, registry, found))
    yield from _tried("store", functools.partial(check_store, registry, found.store, origin("store")),
                      functools.partial(read_boards, registry, found.store))  # fmt: skip


def _check_sandbox(registry: Registry, settings: Settings) -> None:
    with contextlib.suppress(InfrastructureError):  # none works: the sandboxes say so themselves
        choose_sandbox(registry, settings)


def _tried(name: str, *steps: Callable[[], object]) -> Iterator[Finding]:
    """What is wrong with a setting; the first step that fails says it."""
    try:
        for step in steps:
            step()
    except UserError as exc:
        detail, fix = without_password(exc.message), without_password(exc.hint)
        yield Finding(kind="settings", name=name, ok=False, detail=detail, fix=fix)
    except Exception as exc:  # noqa: BLE001 - foreign code: shown, not raised
        detail = without_password(f"{type(exc).__name__}: {exc}")
        yield Finding(kind="settings", name=name, ok=False, detail=detail, fix=AUTHOR)


def _languages(registry: Registry) -> Iterator[Finding]:
    def detail(language: Any) -> str:
        tools = ", ".join(f"{tool} {version}" for tool, version in language.toolchain().items())
        return f"{' '.join(language.suffixes)}  {tools}".strip()

    yield from _available("languages", registry.languages, detail)


def _devices(registry: Registry) -> Iterator[Finding]:
    for name, vendor in registry.devices.items():
        here, devices = _safely(vendor.available), []
        if here.ok:
            try:
                devices = list(vendor.devices())
            except Exception as exc:  # noqa: BLE001 - foreign code: shown, not raised
                here = Availability(ok=False, why=f"{type(exc).__name__}: {exc}")
        if not here.ok or not devices:
            yield Finding(kind="devices", name=name, ok=False, detail=here.why or "no device found", fix=here.fix)
        for device in devices:
            free = _safely(functools.partial(vendor.check_free, device))
            detail = f"{device.label}: {device.name}, {device.memory / 2**30:.0f} GiB"
            yield Finding(
                kind="devices",
                name=device.id,
                ok=True,
                fix=free.fix,
                detail=detail if free.ok else f"{detail}; {free.why}",
            )


def _available(kind: str, things: Any, detail: Callable[[Any], str]) -> Iterator[Finding]:
    for name, thing in things.items():
        here = _safely(thing.available)
        try:
            shown = detail(thing) if here.ok else here.why
        except Exception as exc:  # noqa: BLE001 - foreign code: shown, not raised
            here, shown = Availability(ok=False), f"{type(exc).__name__}: {exc}"
        counts = kind != "sandboxes" or walled(thing.guarantees)
        yield Finding(kind=kind, name=name, ok=here.ok, detail=shown, fix=here.fix, counts=counts)


def _promises(sandbox: Any) -> str:
    promised = "promises " + ", ".join(sorted(sandbox.guarantees))
    about = sandbox.about()
    walls = "" if walled(sandbox.guarantees) else "; no walls: for `kernelbot run --unsafe` only"
    return f"{about}; {promised}{walls}" if about else f"{promised}{walls}"


def _packs(registry: Registry) -> Iterator[Finding]:
    for folder in find_problems(registry.pack_sources):
        try:
            problem = load_problem(folder)
        except PackError as exc:
            yield Finding(kind="packs", name=folder.name, ok=False, detail=exc.message, fix=exc.hint)
        else:
            detail = f"{problem.file.title}, {len(problem.cells)} cells"
            yield Finding(kind="packs", name=problem.name, ok=True, detail=detail)


def _safely(ask: Callable[[], Availability]) -> Availability:
    try:
        return ask()
    except Exception as exc:  # noqa: BLE001 - foreign code: shown, not raised
        return Availability(ok=False, why=f"{type(exc).__name__}: {exc}", fix=AUTHOR)


def _repair(registry: Registry, broken: Broken) -> str:
    if broken.dist == DISABLE:  # nobody's plugin: a name in the variable
        return f"take {broken.name} out of {DISABLE}"
    if broken.name in {plugin.name for plugin in registry.plugins}:  # leaving the name out would leave out both
        return f"pip uninstall {broken.dist}, or the one whose place it wants"
    return f"pip install --upgrade {broken.dist}, or leave it out with {DISABLE}={broken.name}"


def _doc(cls: type) -> str:
    return (cls.__doc__ or "").strip().partition("\n")[0].replace("``", "")
