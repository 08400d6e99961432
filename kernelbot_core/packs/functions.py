"""Which functions problem.py must have and may have, looked up in its text: it is not imported."""

from __future__ import annotations

import ast
from pathlib import Path

from kernelbot_core.errors import PackError
from kernelbot_core.model.problem import Accumulate, Custom, Elementwise, ProblemFile

HINT = "see docs/how-to/problem-pack.md; functions of your own start with an underscore"


def check_functions(path: Path, code: bytes, file: ProblemFile) -> None:
    """Raise PackError for a missing, superfluous or ill-fitting function."""
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as exc:
        line = getattr(exc, "lineno", None) or 1
        raise PackError(f"{path}:{line}: {getattr(exc, 'msg', exc)}", "it must be Python") from None
    found = {n.name: n for n in tree.body if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef))}
    wanted = expected(file)
    for name in wanted:
        if name not in found:
            raise PackError(f"{path}: {name}: problem.toml asks for this function, and it is not there", HINT)
    allowed = wanted | {"baseline": file.signature.arguments}
    for name, node in found.items():
        if name.startswith("_"):
            continue
        where = f"{path}:{node.lineno}: {name}"
        if name not in allowed:
            raise PackError(f"{where}: problem.toml does not ask for this function", HINT)
        if isinstance(node, ast.AsyncFunctionDef):
            raise PackError(f"{where}: is async; the judge calls it plainly", HINT)
        if not _fits(node.args, len(allowed[name])):
            raise PackError(f"{where}: must take {_list(allowed[name])}", HINT)


def expected(file: ProblemFile) -> dict[str, list[str]]:
    """Name -> arguments of the functions that problem.toml asks for."""
    inputs, rule = [tensor.name for tensor in file.signature.inputs], file.tolerance
    wanted = {"inputs": ["cell", "gen"], "reference": inputs}
    if isinstance(rule, Accumulate) or (isinstance(rule, Elementwise) and rule.scale == "magnitude"):
        wanted["magnitude"] = inputs
    if isinstance(rule, Custom):
        wanted["check"] = ["expected", "got", "inputs", "cell"]
    return wanted | {name: ["cell"] for name in file.properties}


def _fits(args: ast.arguments, count: int) -> bool:
    most = len(args.posonlyargs) + len(args.args)
    least = most - len(args.defaults)
    return (
        least <= count
        and (count <= most or args.vararg is not None)
        and not any(default is None for default in args.kw_defaults)
    )


def _list(names: list[str]) -> str:
    return f"{len(names)} argument{'s' if len(names) > 1 else ''} ({', '.join(names)})"
