"""What the files look like: short, and speaking of the project alone."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

MAX_LINES = 400
MAX_FUNCTION = 60
# The project speaks of itself: no absolute paths of anybody's machine, no tracker numbers.
FORBIDDEN = [
    re.compile(p) for p in (r"(?<![\w.~}$])/(home|root|work|opt|Users)/", r"(?i)\bissues?\s+#?\d+", r"\B#\d+\b")
]
TEXT = {".py", ".md", ".toml", ".cu", ".cuh", ".h", ".yml", ".yaml", ".sh", ""}


def tracked(root: Path) -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not a git checkout")
    return [root / name for name in listed.stdout.split("\0") if name and (root / name).is_file()]


def texts(root: Path) -> list[Path]:
    return [path for path in tracked(root) if path.suffix in TEXT]


def test_files_are_short(root):
    long = {str(p.relative_to(root)): n for p in texts(root) if (n := len(p.read_text().splitlines())) > MAX_LINES}
    assert long == {}


def test_functions_are_short(root):
    import ast

    long = []
    for path in texts(root):
        if path.suffix != ".py" or {"samples", "hostile"} & set(path.parts):
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                lines = (node.end_lineno or node.lineno) - node.lineno + 1
                if lines > MAX_FUNCTION:
                    long.append(f"{path.relative_to(root)}:{node.lineno} {node.name}: {lines} lines")
    assert long == []


def test_the_project_speaks_of_itself(root):
    found = []
    for path in texts(root):
        if path == Path(__file__).resolve():
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            found += [f"{path.relative_to(root)}:{number}: {line.strip()}" for word in FORBIDDEN if word.search(line)]
    assert found == []


def test_links_between_documents_lead_somewhere(root):
    dead = []
    for path in texts(root):
        if path.suffix != ".md":
            continue
        targets = re.findall(r"\]\(([^)#\s]+)", path.read_text())
        gone = [t for t in targets if "://" not in t and not (path.parent / t).exists()]
        dead += [f"{path.relative_to(root)} -> {target}" for target in gone]
    assert dead == []


def test_the_report_schema_is_the_generated_one():
    import json

    from kernelbot_core.model.report import schema, schema_file

    assert json.loads(schema_file().read_text()) == schema(), "write it anew: make schema"
