"""The pytest plugin behind ``--kernelbot-conformance``: this folder becomes the session, one test per plugged-in thing.

Tests ask for what they check by argument name (``language``, ``device_vendor``, ``sandbox``, ``executor``,
``store_class``, ``ranking``, ``pack``, ``plugin``); each is run once for every one that is installed.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any, Final

import pytest

from kernelbot_core.packs.find import find_problems
from kernelbot_core.plugins import Broken, Plugin, Registry, registry

HERE = Path(__file__).parent
# argument -> (kind in the registry, test file)
KINDS: Final = {
    "language": ("languages", "test_language.py"),
    "device_vendor": ("devices", "test_device.py"),
    "sandbox": ("sandboxes", "test_sandbox.py"),
    "executor": ("executors", "test_executor.py"),
    "store_class": ("stores", "test_store.py"),
    "ranking": ("rankings", "test_ranking.py"),
    "pack": ("problem_packs", "test_pack.py"),
}
ABOUT = "about"
CHOSEN: pytest.StashKey[dict[str, dict[str, Any]]] = pytest.StashKey()


def pytest_configure(config: pytest.Config) -> None:
    """Choose what is checked and the files that check it."""
    chosen = choose(registry(), config.getoption("kernelbot_plugin"))
    config.stash[CHOSEN] = chosen
    files = [file for argument, (_, file) in KINDS.items() if chosen[argument]]
    config.args = [str(HERE / file) for file in ["test_plugin.py", *files]]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One test for each thing that is installed."""
    for argument, things in metafunc.config.stash[CHOSEN].items():
        if argument in metafunc.fixturenames:
            metafunc.parametrize(argument, list(things.values()), ids=list(things))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Remember which thing each test is about; node ids say little when the suite lies outside the root."""
    chosen = config.stash[CHOSEN]
    for item in items:
        spec = getattr(item, "callspec", None)
        for argument in chosen:
            if spec is not None and argument in spec.params:
                name = next(name for name, thing in chosen[argument].items() if thing is spec.params[argument])
                item.user_properties.append((ABOUT, f"{argument} {name}"))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """One line per thing, fit for a README."""
    rows: dict[str, Counter[str]] = {}
    for outcome in ("passed", "failed", "error", "skipped"):
        for report in terminalreporter.stats.get(outcome, []):
            about = dict(getattr(report, "user_properties", ())).get(ABOUT, "collection")
            rows.setdefault(str(about), Counter())[outcome] += 1
    terminalreporter.section("kernelbot conformance")
    for row, counts in rows.items():
        said = ", ".join(f"{number} {outcome}" for outcome, number in counts.items())
        terminalreporter.line(f"{row}: {said}")


def choose(found: Registry, names: list[str]) -> dict[str, dict[str, Any]]:
    """Argument -> name -> thing, of the plugins asked for (by plugin name or by the name of what they bring).

    :raises pytest.UsageError: A name that nobody has.
    """
    everyone: list[Plugin | Broken] = [*found.plugins, *found.broken]
    known = {one.name for one in everyone} | set(found.owner.values())
    known |= {name for one in found.plugins for brought in one.brings.values() for name in brought}
    unknown = [name for name in names if name not in known]
    if unknown:
        raise pytest.UsageError(f"--kernelbot-plugin={unknown[0]}: no such plugin (known: {', '.join(sorted(known))})")
    chosen: dict[str, dict[str, Any]] = {argument: {} for argument in KINDS}
    chosen["plugin"] = {one.name: one for one in everyone if not names or _asked(one, names)}
    for plugin in found.plugins:
        for argument, (kind, _) in KINDS.items():
            brought = plugin.brings.get(kind, [])
            whole = not names or plugin.name in names or plugin.dist in names
            wanted = [name for name in brought if whole or name in names]
            chosen[argument] |= _packs(found, wanted) if argument == "pack" else _things(found, kind, wanted)
    return chosen


def _asked(one: Plugin | Broken, names: list[str]) -> bool:
    brought = [name for values in one.brings.values() for name in values] if isinstance(one, Plugin) else []
    return bool({one.name, one.dist, *brought} & set(names))


def _things(found: Registry, kind: str, names: list[str]) -> dict[str, Any]:
    things = getattr(found, kind)
    return {name: things[name] for name in names}


def _packs(found: Registry, sources: list[str]) -> dict[str, Any]:
    chosen = [source for source in found.pack_sources if source.name in sources]
    return {folder.name: folder for folder in find_problems(chosen)}
