"""Finds and loads plugins.

Stock pluggy lets a foreign wheel replace a built-in in silence, and lets one broken import end the program.
"""

from __future__ import annotations

import inspect
import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.metadata import EntryPoint, entry_points
from types import ModuleType
from typing import Any

import pluggy
from msgspec import Struct

from kernelbot_core import hookspecs
from kernelbot_core.errors import PluginError

HOME = "kernelbot"
"""Our own distribution, and the entry-point group."""
BY_HAND = "given by hand"
"""In place of a distribution, for plugins that a test registers."""
DISABLE = "KERNELBOT_DISABLE_PLUGINS"
TRACE = "KERNELBOT_TRACE_PLUGINS"


class Found(Struct, frozen=True, kw_only=True):
    """A plugin that somebody offers; nothing of it has been imported."""

    name: str
    dist: str
    """Normalised name of the distribution."""
    version: str
    value: str
    """Module (or ``module:object``) that holds the hook implementations."""
    load: Callable[[], object]


class Broken(Struct, frozen=True, kw_only=True):
    """Something that was set aside, and why."""

    name: str
    dist: str
    why: str


def installed() -> list[Found]:
    """Every entry point of our group: our distribution first, then by (distribution, name), never by ``sys.path``."""
    found = [_found(point) for point in entry_points(group=HOME)]
    return sorted(found, key=lambda f: (f.dist != HOME, f.dist, f.name, f.value))


def _found(point: EntryPoint) -> Found:
    dist = point.dist
    name = re.sub(r"[-_.]+", "-", dist.name).lower() if dist else "unknown"
    version = dist.version if dist else ""
    return Found(name=point.name, dist=name, version=version, value=point.value, load=point.load)


def disabled() -> list[str]:
    """Names in ``KERNELBOT_DISABLE_PLUGINS``."""
    return [name.strip() for name in os.environ.get(DISABLE, "").split(",") if name.strip()]


class PluginManager(pluggy.PluginManager):
    """Loads what :func:`installed` finds and sets aside what does not work."""

    def __init__(self) -> None:
        super().__init__(hookspecs.PROJECT)
        self.add_hookspecs(hookspecs)
        self.loaded: list[Found] = []
        """In the order of loading."""
        self.broken: list[Broken] = []
        self.off: list[str] = []
        """Names that were left out on request."""
        if os.environ.get(TRACE, "") not in {"", "0"}:
            self.add_hookcall_monitoring(_trace_before, _trace_after)

    def load_all(self, found: Iterable[Found]) -> None:
        """Load in the order given; a name that is taken is refused, both sides are named."""
        owner: dict[str, Found] = {}
        switched_off = disabled()
        for one in found:
            first = owner.setdefault(one.name, one)
            if first is not one:
                if (first.dist, first.value) != (one.dist, one.value):  # one distribution seen twice is no clash
                    self.set_aside(one, f"the name {one.name} is taken by {first.value} of {first.dist}")
            elif one.name in switched_off:
                self.off.append(one.name)
            else:
                self._load(one)
        for name in switched_off:
            if name not in owner:
                self.broken.append(Broken(name=name, dist=DISABLE, why="there is no plugin of that name to leave out"))

    def _load(self, one: Found) -> None:
        try:
            plugin = one.load()
            self.register(plugin, name=one.name)
            _check_implementations(plugin)
            self.check_pending()
        except (Exception, SystemExit) as exc:  # noqa: BLE001 - foreign code: its failure must not be ours
            self.drop(one.name)
            self.set_aside(one, describe(exc))
        else:
            self.loaded.append(one)

    def drop(self, name: str) -> None:
        """Unregister a plugin, also one that was registered by half."""
        if self.get_plugin(name) is not None:
            self.unregister(name=name)
        self.loaded = [one for one in self.loaded if one.name != name]

    def set_aside(self, one: Found, why: str) -> None:
        """Record why something is not used."""
        self.broken.append(Broken(name=one.name, dist=one.dist, why=why))

    def hooks_of(self, name: str) -> list[str]:
        """Hooks that a plugin implements."""
        return sorted(caller.name for caller in self.get_hookcallers(self.get_plugin(name)) or [])

    def only(self, name: str, hook: str) -> pluggy.HookCaller:
        """A caller of ``hook`` that reaches the plugin ``name`` and nobody else."""
        keep = self.get_plugin(name)
        others = [plugin for plugin in self.get_plugins() if plugin is not keep]
        return self.subset_hook_caller(hook, others)


def _check_implementations(plugin: object) -> None:
    """Refuse what pluggy accepts and then silently does not run."""
    marked = f"{hookspecs.PROJECT}_impl"
    for name in dir(plugin):
        member = getattr(plugin, name, None)
        known = hasattr(hookspecs, name) and name.startswith(f"{hookspecs.PROJECT}_")
        if known and callable(member) and not hasattr(member, marked):
            raise PluginError(f"{name}() is not marked with @hookimpl and would never be called")
        if hasattr(member, marked) and inspect.iscoroutinefunction(member):
            raise PluginError(f"{name}() is async; hooks are plain functions")


def describe(exc: BaseException) -> str:
    """An exception in one line, with the last line of foreign code that it came through."""
    text = " ".join(str(exc).split()) or "no message"
    if isinstance(exc, PluginError):
        return exc.message
    if isinstance(exc, pluggy.PluginValidationError):
        return text
    return f"{type(exc).__name__}: {text}"


def extras(objects: Sequence[object]) -> list[Found]:
    """Plugins that are given as objects (modules or instances), for tests; they come last."""
    return [_extra(obj, number) for number, obj in enumerate(objects, 1)]


def _extra(obj: object, number: int) -> Found:
    kind = obj if isinstance(obj, (ModuleType, type)) else type(obj)
    name = f"{kind.__name__.rpartition('.')[2]}_{number}".lower()
    return Found(name=name, dist=BY_HAND, version="", value=kind.__name__, load=lambda: obj)


def _trace_before(hook: str, methods: Sequence[pluggy.HookImpl], kwargs: Mapping[str, Any]) -> None:
    who = ", ".join(str(method.plugin_name) for method in reversed(methods)) or "nobody"
    _say(f"{hook}({', '.join(kwargs)}) -> {who}")


def _trace_after(outcome: pluggy.Result[Any], hook: str, _methods: object, _kwargs: object) -> None:
    answer = repr(outcome.exception or outcome.get_result())
    _say(f"{hook} = {answer if len(answer) <= 200 else answer[:199] + '…'}")


def _say(line: str) -> None:
    sys.stderr.write(f"kernelbot trace: {line}\n")
