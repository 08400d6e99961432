"""What plugins have brought, by name, and how many of them are called without one spoiling it for the rest."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from kernelbot_core.errors import PluginError
from kernelbot_core.interfaces.device import DeviceVendor
from kernelbot_core.interfaces.executor import Executor
from kernelbot_core.interfaces.language import Language
from kernelbot_core.interfaces.packs import PackSource
from kernelbot_core.interfaces.ranking import Ranking
from kernelbot_core.interfaces.sandbox import Sandbox
from kernelbot_core.interfaces.store import Store
from kernelbot_core.plugins._loader import BY_HAND, Broken, Found, PluginManager, describe, extras, installed

log = logging.getLogger(__name__)

# kind -> (interface, attribute that names it, instantiated without arguments)
KINDS: Final[dict[str, tuple[type, str, bool]]] = {
    "languages": (Language, "name", True),
    "devices": (DeviceVendor, "name", True),
    "sandboxes": (Sandbox, "name", True),
    "executors": (Executor, "name", True),
    "stores": (Store, "scheme", False),
    "rankings": (Ranking, "name", True),
}


@dataclass(frozen=True)
class Plugin:
    """One loaded plugin."""

    name: str
    dist: str
    version: str
    module: str
    hooks: list[str]
    brings: dict[str, list[str]]
    """Kind (``languages`` ...) -> names."""


@dataclass(frozen=True)
class Registry:
    """Everything plugins have brought. Frozen: it does not change while the process runs."""

    manager: PluginManager
    languages: Mapping[str, Language] = field(default_factory=dict)
    devices: Mapping[str, DeviceVendor] = field(default_factory=dict)
    sandboxes: Mapping[str, Sandbox] = field(default_factory=dict)
    executors: Mapping[str, Executor] = field(default_factory=dict)
    stores: Mapping[str, type[Store]] = field(default_factory=dict)
    """By URL scheme; classes, since a store is opened with a URL."""
    rankings: Mapping[str, Ranking] = field(default_factory=dict)
    pack_sources: Sequence[PackSource] = ()
    plugins: Sequence[Plugin] = ()
    """In the order of loading."""
    broken: Sequence[Broken] = ()

    @property
    def hook(self) -> Any:
        """Pluggy's relay: ``registry.hook.kernelbot_select_executor(job=..., executors=...)``."""
        return self.manager.hook

    @property
    def owner(self) -> dict[str, str]:
        """Plugin name -> distribution."""
        return {plugin.name: plugin.dist for plugin in self.plugins}

    def notify(self, hook: str, **kwargs: Any) -> None:
        """Tell every plugin, one at a time; one that raises is logged and the others still hear it."""
        for plugin in self.implementing(hook):
            try:
                self.manager.only(plugin.name, hook)(**kwargs)
            except Exception:  # foreign code: a listener must not change what it listens to
                log.exception("plugin %s of %s failed in %s", plugin.name, plugin.dist, hook)

    def collect_objections(self, hook: str, **kwargs: Any) -> list[str]:
        """Ask every plugin; all answers count, so that a lenient plugin cannot hide a strict one.

        A plugin that raises, or answers with something else than lines of text, has not given its consent: that is an
        objection too, in its name.
        """
        objections: list[str] = []
        for plugin in self.implementing(hook):
            try:
                for answer in self.manager.only(plugin.name, hook)(**kwargs):
                    objections += _lines(answer)
            except Exception as exc:  # foreign code: the crash of a check is no consent
                log.exception("plugin %s of %s failed in %s", plugin.name, plugin.dist, hook)
                objections.append(f"the check of plugin {plugin.name} ({plugin.dist}) failed: {describe(exc)}")
        return objections

    def implementing(self, hook: str) -> list[Plugin]:
        """Plugins with an implementation of ``hook``, in the order of loading."""
        return [plugin for plugin in self.plugins if hook in plugin.hooks]


def _lines(answer: object) -> list[str]:
    if isinstance(answer, str) or not isinstance(answer, Sequence) or not all(isinstance(a, str) for a in answer):
        raise PluginError(f"it answered {answer!r} instead of a list of lines")
    return list(answer)


def load_registry(extra: Sequence[object] = (), *, found: Sequence[Found] | None = None) -> Registry:
    """Load every plugin anew.

    :param extra: Modules or objects with hook implementations, registered last; for tests.
    :param found: Instead of what is installed.
    """
    manager = PluginManager()
    manager.load_all([*(installed() if found is None else found), *extras(extra)])
    kinds: dict[str, dict[str, Any]] = {kind: {} for kind in KINDS}
    sources: list[PackSource] = []
    plugins: list[Plugin] = []
    for one in list(manager.loaded):
        try:
            brought, packs = _ask(manager, one)
        except (Exception, SystemExit) as exc:  # noqa: BLE001 - foreign code: constructors and register hooks
            manager.drop(one.name)
            manager.set_aside(one, describe(exc))
            continue
        brings = {kind: _merge(manager, one, kind, kinds[kind], items) for kind, items in brought.items()}
        packs = _merge_packs(manager, one, sources, packs)
        brings["problem_packs"] = [source.name for source in packs]
        plugins.append(_plugin(manager, one, {kind: names for kind, names in brings.items() if names}))
    return Registry(manager=manager, pack_sources=sources, plugins=plugins, broken=manager.broken, **kinds)


def _plugin(manager: PluginManager, one: Found, brings: dict[str, list[str]]) -> Plugin:
    hooks = manager.hooks_of(one.name)
    return Plugin(name=one.name, dist=one.dist, version=one.version, module=one.value, hooks=hooks, brings=brings)


def _ask(manager: PluginManager, one: Found) -> tuple[dict[str, list[tuple[str, Any]]], list[PackSource]]:
    """Everything one plugin registers; all of it or, when anything raises, nothing."""
    hooks = manager.hooks_of(one.name)
    brought: dict[str, list[tuple[str, Any]]] = {}
    for kind, (interface, key, instantiate) in KINDS.items():
        hook = f"kernelbot_register_{kind}"
        for classes in manager.only(one.name, hook)() if hook in hooks else ():
            for cls in classes:
                name = _checked(cls, interface, key)
                brought.setdefault(kind, []).append((name, cls() if instantiate else cls))
    packs: list[PackSource] = []
    if "kernelbot_register_problem_packs" in hooks:
        packs = [s for answer in manager.only(one.name, "kernelbot_register_problem_packs")() for s in answer]
    for source in packs:
        if not isinstance(source, PackSource):
            raise PluginError(f"{source!r} is not a PackSource")
    return brought, packs


def _checked(cls: Any, interface: type, key: str) -> str:
    if not isinstance(cls, type) or not issubclass(cls, interface):
        raise PluginError(f"{cls!r} is not a subclass of {interface.__name__}")
    missing = sorted(getattr(cls, "__abstractmethods__", ()))
    if inspect.isabstract(cls):
        raise PluginError(f"{_class(cls)} lacks {', '.join(missing)} of {interface.__name__}")
    name = getattr(cls, key, None)
    if not isinstance(name, str) or not name:
        raise PluginError(f"{_class(cls)} has no {key}")
    return name


def _merge(
    manager: PluginManager, one: Found, kind: str, taken: dict[str, Any], new: list[tuple[str, Any]]
) -> list[str]:
    names = []
    for name, item in new:
        if name in taken:
            why = f"{_class(item)} claims the name {name} among {kind}, which {_class(taken[name])} has already"
            manager.set_aside(one, why)
        else:
            taken[name] = item
            names.append(name)
    return names


def _merge_packs(
    manager: PluginManager, one: Found, taken: list[PackSource], new: list[PackSource]
) -> list[PackSource]:
    kept = []
    for source in new:
        other = next((t for t in taken if t.name == source.name), None)
        if other is not None:
            why = f"{source.folder} claims the name {source.name} among problem packs, which {other.folder} has already"
            manager.set_aside(one, why)
        else:
            taken.append(source)
            kept.append(source)
    return kept


def _class(item: object) -> str:
    cls = item if isinstance(item, type) else type(item)
    return f"{cls.__module__}.{cls.__qualname__}"


# The one cache; tests exchange it with use_registry().
_current: Registry | None = None


def registry() -> Registry:
    """The registry of this process, loaded on first use."""
    global _current
    if _current is None:
        _current = load_registry()
    return _current


@contextmanager
def use_registry(other: Registry) -> Iterator[Registry]:
    """Let :func:`registry` answer with ``other`` inside the block; for tests."""
    global _current
    before, _current = _current, other
    try:
        yield other
    finally:
        _current = before


@contextmanager
def plugin_registered(*plugins: object) -> Iterator[Registry]:
    """Register objects with hook implementations for the length of a test; :func:`registry` knows them inside.

    :raises PluginError: One of them cannot be used; a test must not pass because its plugin was set aside.
    """
    loaded = load_registry(plugins)
    for one in loaded.broken:
        if one.dist == BY_HAND:
            raise PluginError(f"{one.name}: {one.why}")
    with use_registry(loaded) as inside:
        yield inside
