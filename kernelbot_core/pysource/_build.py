"""From a Python source to an artifact. The source is parsed; nothing of it is executed."""

from __future__ import annotations

import ast
import io
import warnings
from pathlib import Path

from kernelbot_core.errors import UsageError
from kernelbot_core.model.build import Build, BuildOrder
from kernelbot_core.model.header import read_header
from kernelbot_core.pysource._entry import EntryError, find_entry
from kernelbot_core.pysource._imports import missing_import


def build_python(order: BuildOrder, folder: Path, out: Path) -> Build:
    """Check a Python file and copy it into the artifact, under its own name.

    It is compiled as the UTF-8 text that everybody reads: a line such as ``# coding: unicode_escape`` would make code
    of what looks like comments.

    :returns: ``ok=False`` with the participant's line for a syntax error, a missing ``solve``, a wrong number of
        arguments, an import that cannot succeed or a bad header line; otherwise ``entry``, ``dtypes`` and
        ``returns_value`` are filled in.
    """
    name = order.source
    data = (folder / name).read_bytes()
    source = data.decode(errors="replace")
    try:
        tree, text = _parse(source, name)
        dtypes = offered_dtypes(source, order)
        entry = find_entry(tree, name, order.signature)
    except SyntaxError as exc:
        return Build(ok=False, text=_syntax(exc, name, source))
    except UsageError as exc:
        return Build(ok=False, text=f"{name}: {exc.message}; {exc.hint}")
    except EntryError as exc:
        return Build(ok=False, text=str(exc))
    if missing := missing_import(tree, name):
        return Build(ok=False, text=missing)
    (out / name).write_bytes(data)
    notes = [entry.note] if entry.note else []
    return Build(ok=True, text=text, entry=name, dtypes=dtypes, returns_value=entry.returns_value, notes=notes)


def offered_dtypes(source: str, order: BuildOrder) -> list[str] | None:
    """Dtype labels that a header line narrows the submission to; None without such a line.

    :raises UsageError: A label that the problem does not have, or a bad header line.
    """
    stated = read_header(source).dtypes
    if stated is None:
        return None
    for label in stated:
        if label not in order.bindings:
            raise UsageError(
                f"the header line offers dtype {label}, which {order.problem} does not have",
                f"it has {', '.join(order.bindings)}",
            )
    return [label for label in order.bindings if label in stated]


def _parse(source: str, name: str) -> tuple[ast.Module, str]:
    """The tree, and what the compiler warns of."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            tree = ast.parse(source, filename=name)
        except ValueError as exc:  # null bytes, before Python 3.12
            raise SyntaxError(str(exc)) from exc
        except (RecursionError, MemoryError) as exc:
            raise SyntaxError("nested too deeply for the Python compiler") from exc
    return tree, "\n".join(f"{name}:{w.lineno}: warning: {w.message}" for w in caught)


def _syntax(exc: SyntaxError, name: str, source: str) -> str:
    """``file:line: message``, the line, and a caret under the place."""
    if exc.lineno is None:
        return f"{name}: {exc.msg}"
    head = f"{name}:{exc.lineno}: {exc.msg}"
    lines = io.StringIO(source, newline=None).read().split("\n")  # those that the compiler counts
    if not 0 < exc.lineno <= len(lines):
        return head
    line = lines[exc.lineno - 1]
    body = line.lstrip()
    start = max((exc.offset or 1) - 1 - (len(line) - len(body)), 0)
    same_line = exc.end_lineno == exc.lineno and exc.end_offset is not None and exc.offset is not None
    width = max(exc.end_offset - exc.offset, 1) if same_line else 1  # type: ignore[operator]  # both are there on one line
    return f"{head}\n    {body}\n    {' ' * start}{'^' * width}"
