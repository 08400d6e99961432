"""Who may import whom, read from the source with ``ast``: model <- interfaces <- plugins <- engine <- command line."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

# Part of kernelbot_core -> height; a part imports its own height and below. What stands beside each other at 4 carries
# a job out together; the front-ends at 5 are imported by nobody.
HEIGHT = {
    "model": 0, "errors": 0, "case": 0, "memory": 0, "settings": 0, "text": 0, "interfaces": 1, "pysource": 1,
    "hookspecs": 2, "worker": 2, "supervisor": 2, "plugins": 3,
    "packs": 4, "engine": 4, "runner": 4, "judge": 4, "cli": 5, "conformance": 5, "testing": 5,
    "scripted": 5, "__main__": 5,
}  # fmt: skip
# Runs beside hostile code: as little as possible.
WORKER_MAY = {"model", "interfaces", "worker", "errors", "memory", "packs.code", "case"}
HEAVY = ("torch", "triton", "cupy", "cuda", "discord", "numpy")


def imports(path: Path) -> list[str]:
    """Every module that a file imports, anywhere in it."""
    found = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            found += [f"{node.module}.{alias.name}" for alias in node.names]
    return found


def at_import(tree: ast.AST) -> list[str]:
    """Modules that are imported when the file is imported: not inside functions, not under TYPE_CHECKING."""
    found: list[str] = []
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            found.append(node.module or "")
        elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            found += [name for child in node.orelse for name in at_import(child)]
        elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            found += at_import(node)
    return found


def part(module: str) -> str:
    """``kernelbot_core.judge.call.Caller`` -> ``judge``; the public face is the empty string."""
    names = module.split(".")[1:]
    return names[0] if names and names[0] in HEIGHT else ""


def core_files(root: Path) -> list[Path]:
    return sorted((root / "kernelbot_core").rglob("*.py"))


def plugin_files(root: Path) -> list[Path]:
    return sorted((root / "plugins").glob("*/src/**/*.py"))


def test_every_part_of_core_has_its_place(root):
    parts = {path.relative_to(root / "kernelbot_core").parts[0].removesuffix(".py") for path in core_files(root)}
    assert parts - {"__init__"} == set(HEIGHT)


def test_core_imports_downwards_only(root):
    wrong = []
    for path in core_files(root):
        own = part("kernelbot_core." + ".".join(path.relative_to(root / "kernelbot_core").with_suffix("").parts))
        if own in {"", "worker"}:  # the worker has a stricter rule of its own
            continue
        for name in imports(path):
            target = part(name) if name.startswith("kernelbot_core.") else ""
            if target and HEIGHT[target] > HEIGHT[own]:
                wrong.append(f"{path.relative_to(root)} ({own}) imports {name}")
    assert wrong == []


def test_the_worker_imports_next_to_nothing(root):
    wrong = []
    for path in sorted((root / "kernelbot_core/worker").glob("*.py")):
        for name in imports(path):
            inner = name.removeprefix("kernelbot_core.")
            if name.startswith("kernelbot_core") and not any(
                inner == may or inner.startswith(f"{may}.") for may in WORKER_MAY
            ):
                wrong.append(f"{path.name} imports {name}")
    assert wrong == []


def test_what_the_worker_borrows_from_packs_brings_nothing_along(root):
    inner = [name for name in imports(root / "kernelbot_core/packs/code.py") if name.startswith("kernelbot_core")]
    assert {part(name) for name in inner} <= {"errors", "case", "model"}


def test_core_never_imports_a_plugin(root):
    ours = {path.name for path in (root / "plugins").glob("*/src/*") if path.is_dir()} | {
        "problem_packs",
        "kernelbot_bot",
    }
    wrong = [
        f"{path.relative_to(root)} imports {name}"
        for path in [*core_files(root), root / "kernelbot_pytest.py"]
        for name in imports(path)
        if name.split(".")[0] in ours
    ]
    assert wrong == []


def test_plugins_use_the_public_face_only(root):
    import kernelbot_core

    wrong = []
    for path in plugin_files(root):
        own = path.relative_to(root / "plugins").parts[2]
        for name in imports(path):
            top = name.split(".")[0]
            if top == "kernelbot_core" and name.removeprefix("kernelbot_core.") not in kernelbot_core.__all__:
                wrong.append(f"{path.relative_to(root)} imports {name}")
            if top.startswith("kernelbot_") and top not in {"kernelbot_core", own}:
                wrong.append(f"{path.relative_to(root)} imports {name}, of another plugin")
    assert wrong == []


# Front-ends show what the engine says: they neither judge nor use another front-end.
NOT_FOR_FRONT_ENDS = {"cli", "judge", "worker", "supervisor", "conformance", "testing", "scripted"}


def test_the_bot_asks_the_engine_and_nobody_else(root):
    files = sorted((root / "bot/src").rglob("*.py"))
    assert files
    wrong = [
        f"{path.relative_to(root)} imports {name}"
        for path in files
        for name in imports(path)
        if (name.startswith("kernelbot_core.") and part(name) in NOT_FOR_FRONT_ENDS)
        or name.split(".")[0] in {"torch", "triton", "cupy", "cuda", "numpy", "problem_packs"}
        or (name.startswith("kernelbot_") and name.split(".")[0] not in {"kernelbot_core", "kernelbot_bot"})
    ]
    assert wrong == []


def test_the_plugin_of_the_bot_imports_no_discord(root):
    found = at_import(ast.parse((root / "bot/src/kernelbot_bot/__init__.py").read_text()))
    assert {name.split(".")[0] for name in found} == {"__future__", "click", "kernelbot_core"}


# The halves of a device that judge and worker import, where torch is loaded anyway.
DEVICE_HALVES = ("_judge", "_worker", "_ipc", "_gate", "_window", "_memory", "_driver")


@pytest.mark.parametrize("what", ["core", "plugins"])
def test_nothing_heavy_at_import(root, what):
    wrong = []
    for path in core_files(root) if what == "core" else plugin_files(root):
        if what == "plugins" and path.stem.startswith(DEVICE_HALVES):
            continue
        tops = {name.split(".")[0] for name in at_import(ast.parse(path.read_text()))}
        wrong += [f"{path.relative_to(root)} imports {name}" for name in sorted(tops & set(HEAVY))]
    assert wrong == []


def test_loading_every_plugin_imports_nothing_heavy():
    code = f"""
import sys
import kernelbot_core, kernelbot_pytest
from kernelbot_core.plugins import registry
found = registry()
assert found.languages and found.devices and not found.broken, found.broken
print(sorted(set(sys.modules) & set({HEAVY!r})))
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.strip() == "[]"


def test_the_pytest_door_imports_nothing_of_ours():
    code = "import sys, kernelbot_pytest; print([m for m in sys.modules if m.startswith('kernelbot_core')])"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"
