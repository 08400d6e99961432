"""Opens the store of a URL, and copies one store into another."""

from __future__ import annotations

from msgspec import Struct, structs

from kernelbot_core.errors import UsageError, UserError
from kernelbot_core.interfaces.store import Store
from kernelbot_core.plugins import Registry

EXAMPLE = "tinydb:///folder"


class Copied(Struct, frozen=True, kw_only=True):
    """How much was copied."""

    entries: int
    reports: int
    sources: int


def open_store(registry: Registry, url: str) -> Store:
    """Open the store of a URL, creating what is missing.

    :raises UsageError: It is no URL, or no plugin knows the scheme.
    """
    return _kind(registry, url)(url)


def check_store(registry: Registry, url: str, source: str = "") -> None:
    """Complain about a URL that no store can have; creates nothing.

    :param source: Who says it: an option, a variable, a file.
    :raises UsageError: It is no URL, no plugin knows the scheme, or its store does not take the rest.
    """
    try:
        _kind(registry, url).exists(url)
    except UserError as exc:
        raise UsageError(f"{source}: {exc.message}" if source else exc.message, exc.hint) from None


def store_exists(registry: Registry, url: str) -> bool:
    """Whether a store is there; creates nothing.

    :raises UsageError: It is no URL, or no plugin knows the scheme.
    """
    return _kind(registry, url).exists(url)


def require_store(registry: Registry, url: str) -> None:
    """Complain about a URL where no store is: whoever reads one has misspelt it, and must not create it.

    :raises UsageError: There is none, it is no URL, or no plugin knows the scheme.
    """
    if not store_exists(registry, url):
        raise UsageError(f"there is no store at {url}", "check the URL; `kernelbot submit` makes a store where it says")


def read_boards(registry: Registry, url: str) -> int:
    """Read every entry of a store that is there, and say how many; creates nothing.

    :raises UserError: A file of a board is damaged, or may not be read.
    """
    kind = _kind(registry, url)
    if not kind.exists(url):
        return 0
    store = kind(url)
    try:
        return sum(len(store.entries(problem)) for problem in store.problems())
    finally:
        store.close()


def _kind(registry: Registry, url: str) -> type[Store]:
    scheme, separator, _ = url.partition("://")
    known = [EXAMPLE if EXAMPLE.startswith(f"{name}://") else f"{name}://..." for name in registry.stores]
    hint = f"write {' or '.join(known)}" if known else "no store is installed: see `kernelbot doctor`"
    if not separator:
        raise UsageError(f"{url!r} is no URL of a store", hint)
    if scheme not in registry.stores:
        raise UsageError(f"{url}: no store has the scheme {scheme}", hint)
    return registry.stores[scheme]


def copy_store(source: Store, target: Store) -> Copied:
    """Copy everything; what is there already stays, so that an interrupted copy can be repeated.

    Sources and reports go first: a row never names what is not there.
    """
    sources: set[str] = set()

    def copy_source(sha256: str) -> None:
        text = None if sha256 in sources else source.source(sha256)
        if text is not None:
            sources.add(target.put_source(text))

    reports = list(source.reports())
    for report_id in reports:
        report = source.report(report_id)
        if report is not None:
            copy_source(report.source)
            target.put_report(report)
    entries = 0
    for problem in source.problems():
        for entry in source.entries(problem):
            copy_source(entry.source)
            for run in entry.runs:
                target.add_run(structs.replace(entry, runs=[]), run)
            entries += 1
    return Copied(entries=entries, reports=len(reports), sources=len(sources))
