"""Which functions problem.py must have and may have, looked up in its text: it is not imported."""

from __future__ import annotations

import ast
from pathlib import Path

from kernelbot_core.errors import PackError
from kernelbot_core.model.problem import Accumulate, Custom, Elementwise, ProblemFile

HINT = "see docs/how-to/problem-pack.md; helpers start with an underscore"


def check_functions(path: Path, code: str, file: ProblemFile) -> None:
    """Raise PackError for a missing, superfluous or ill-fitting function."""
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError) as exc:
        raise PackError(f"{path}:{getattr(exc, 'lineno', 0)}: {exc}", "it must be Python") from None
    found = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    wanted, optional = expected(file), {"baseline": len(file.signature.arguments)}
    for name in wanted:
        if name not in found:
            raise PackError(f"{path}: {name}: problem.toml asks for this function, and it is not there", HINT)
    for name, node in found.items():
        if name.startswith("_"):
            continue
        count = (wanted | optional).get(name)
        if count is None:
            raise PackError(f"{path}:{node.lineno}: {name}: problem.toml does not ask for this function", HINT)
        if not _fits(node.args, count):
            raise PackError(f"{path}:{node.lineno}: {name}: takes other than {count} arguments", HINT)


def expected(file: ProblemFile) -> dict[str, int]:
    """Name -> number of arguments of the functions that problem.toml asks for."""
    inputs, rule = len(file.signature.inputs), file.tolerance
    wanted = {"inputs": 2, "reference": inputs}
    if isinstance(rule, Accumulate) or (isinstance(rule, Elementwise) and rule.scale == "magnitude"):
        wanted["magnitude"] = inputs
    if isinstance(rule, Custom):
        wanted["check"] = 4
    return wanted | dict.fromkeys(file.properties, 1)


def _fits(args: ast.arguments, count: int) -> bool:
    most = len(args.posonlyargs) + len(args.args)
    least = most - len(args.defaults)
    return (
        least <= count
        and (count <= most or args.vararg is not None)
        and not any(default is None for default in args.kw_defaults)
    )
