"""How ``solve`` of a Python file wants to be called, read from its syntax tree."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kernelbot_core.model.problem import Signature

_Function = ast.FunctionDef | ast.Lambda
_BLOCKS = (ast.If, ast.Try, ast.With)


class EntryError(Exception):
    """The file cannot be called; the text is for the participant."""


@dataclass(frozen=True)
class Entry:
    """How to call it."""

    returns_value: bool
    note: str = ""


def find_entry(tree: ast.Module, name: str, signature: Signature) -> Entry:
    """Decide between ``solve(*inputs, *outputs, *scalars)`` and ``solve(*inputs, *scalars)``, which returns.

    :param name: File name, for the messages.
    :raises EntryError: There is no ``solve``, or it takes another number of arguments.
    """
    bound = _bindings(tree.body)
    if "solve" not in bound:
        raise EntryError(_missing(bound, name, signature))
    function = _resolve("solve", bound)
    if isinstance(function, ast.AsyncFunctionDef):
        raise EntryError(f"{name}:{function.lineno}: solve() is async; write a plain function")
    if isinstance(function, _Function) and (place := _yields(function)):
        raise EntryError(f"{name}:{place}: solve() has a yield, so that a call computes nothing; write return")
    if not isinstance(function, _Function):
        return Entry(False, "the arguments of solve are not visible in the source; it is called with all of them")
    return Entry(_returns(function, name, signature))


def prototypes(signature: Signature) -> tuple[str, str]:
    """The call with outputs as arguments, and the one that returns them."""
    names, count = signature.arguments, len(signature.inputs)
    returning = names[:count] + names[len(signature.tensors) :]
    return f"solve({', '.join(names)})", f"solve({', '.join(returning)})"


def _both(signature: Signature) -> str:
    full, returning = prototypes(signature)
    outputs = ", ".join(output.name for output in signature.outputs)
    them = "them" if len(signature.outputs) > 1 else "it"
    return f"write {full}, which fills {outputs}, or {returning}, which returns {them}"


def _missing(bound: dict[str, ast.AST], name: str, signature: Signature) -> str:
    if "custom_kernel" in bound:
        full = prototypes(signature)[0]
        return f"{name}: custom_kernel(data) is another judge's entry; here it is {full}, one argument for each tensor"
    return f"{name}: there is no function `solve` at the top level; {_both(signature)}"


def _bindings(body: Sequence[ast.stmt]) -> dict[str, ast.AST]:
    """Name -> what the module binds to it last: a function, a value, or the statement."""
    bound: dict[str, ast.AST] = {}
    for statement in _flat(body):
        match statement:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                bound[statement.name] = statement
            case ast.Assign(targets=targets, value=value):
                bound |= {target.id: value for target in targets if isinstance(target, ast.Name)}
            case ast.AnnAssign(target=ast.Name(id=target), value=ast.expr() as value):
                bound[target] = value
            case ast.Import() | ast.ImportFrom():
                bound |= {alias.asname or alias.name: statement for alias in statement.names}
    return bound


def _flat(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    for statement in body:
        yield statement
        if isinstance(statement, _BLOCKS):
            for part in ("body", "handlers", "orelse", "finalbody"):
                for inner in getattr(statement, part, []):
                    yield from _flat(inner.body if isinstance(inner, ast.ExceptHandler) else [inner])


def _resolve(name: str, bound: dict[str, ast.AST]) -> ast.AST | None:
    """Follow ``solve = f`` and ``solve = torch.compile(f, ...)`` to the function behind it."""
    seen: set[str] = set()
    while name not in seen:
        seen.add(name)
        match bound.get(name):
            case ast.Name(id=name):
                continue
            case ast.Call(args=[ast.Name(id=inner), *_]) if isinstance(bound.get(inner), ast.FunctionDef | ast.Lambda):
                name = inner
            case ast.Call(args=[ast.Lambda() as function, *_]):
                return function
            case found:
                return found
    return None


def _returns(function: _Function, name: str, signature: Signature) -> bool:
    arguments = function.args
    positional = [*arguments.posonlyargs, *arguments.args]
    bare = [a.arg for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if d is None]
    where = f"{name}:{function.lineno}"
    if bare:
        raise EntryError(f"{where}: the keyword-only argument {bare[0]} of solve() has no default and is never passed")
    least = len(positional) - len(arguments.defaults)
    most = math.inf if arguments.vararg else len(positional)
    every = len(signature.arguments)
    into, out = (least <= count <= most for count in (every, every - len(signature.outputs)))
    if into and out:  # defaults or *args leave both open: what the body does decides
        return _gives_back(function)
    outputs = {output.name for output in signature.outputs}
    if out and (named := outputs & {a.arg for a in positional}):
        missing = ", ".join(name for name in signature.arguments if name not in {a.arg for a in positional})
        raise EntryError(f"{where}: solve() takes {', '.join(sorted(named))} but not {missing}; {_both(signature)}")
    if into and _gives_back(function) and not _mentions(function, positional, signature):
        names = ", ".join(sorted(outputs))
        raise EntryError(f"{where}: solve() returns a value and never uses {names}; {_both(signature)}")
    if into or out:
        return out
    names = ", ".join(a.arg for a in positional)
    raise EntryError(f"{where}: solve() takes {len(positional)} arguments ({names}); {_both(signature)}")


def _mentions(function: _Function, positional: Sequence[ast.arg], signature: Signature) -> bool:
    """Whether the body uses the parameters that stand where the outputs are passed, whatever they are called."""
    first = len(signature.inputs)
    theirs = {a.arg for a in positional[first : first + len(signature.outputs)]}
    used = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
    return len(theirs) < len(signature.outputs) or bool(theirs & used) or bool(used & {"locals", "vars"})


def _gives_back(function: _Function) -> bool:
    """Whether it has a ``return`` with a value, nested functions apart."""
    if isinstance(function, ast.Lambda):
        return True
    values = [node.value for node in _own(function) if isinstance(node, ast.Return)]
    return any(value is not None and not (isinstance(value, ast.Constant) and value.value is None) for value in values)


def _yields(function: _Function) -> int:
    """Line of the first ``yield``; 0 without one."""
    lines = [node.lineno for node in _own(function) if isinstance(node, ast.Yield | ast.YieldFrom)]
    return min(lines, default=0)


def _own(function: _Function) -> Iterator[ast.AST]:
    """What is in the body, nested functions and classes apart."""
    queue: list[ast.AST] = [function.body] if isinstance(function, ast.Lambda) else list(function.body)
    while queue:
        node = queue.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            continue
        yield node
        queue += ast.iter_child_nodes(node)
