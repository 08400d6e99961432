"""Documents that describe code are held against the code."""

from __future__ import annotations

import ast
import importlib.util
import re
import tomllib

import click
import msgspec
import pytest

import kernelbot_core.model.report as r
from kernelbot_core import hookspecs
from kernelbot_core.cli import COMMANDS, cli
from kernelbot_core.model.problem import (
    Accumulate,
    Elementwise,
    Grid,
    Inputs,
    Limits,
    ProblemFile,
    Property,
    Ranking,
    Rules,
    Scalar,
    Signature,
    Tensor,
    Work,
)
from kernelbot_core.settings import Settings

HOOKS = sorted(name for name in vars(hookspecs) if name.startswith("kernelbot_"))


@pytest.fixture(scope="module")
def reference(root):
    spec = importlib.util.spec_from_file_location("hooks_reference", root / "tools/hooks_reference.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_hook_reference_is_the_generated_one(root, reference):
    assert (root / "docs/reference/hooks.md").read_text() == reference.reference(), "write it anew: make docs"


def test_every_hook_is_documented_with_its_signature(root, reference):
    text = (root / "docs/reference/hooks.md").read_text()
    assert [node.name for node in reference.specifications()] == sorted(
        HOOKS, key=lambda name: text.index(f"## {name}\n")
    )
    for node in reference.specifications():
        assert f"\n{reference.signature(node)}\n" in text


@pytest.mark.parametrize("hook", HOOKS)
def test_every_hook_says_where_it_runs(hook):
    last = (getattr(hookspecs, hook).__doc__ or "").strip().splitlines()[-1].strip()
    assert last.startswith("Runs in: ")
    assert set(last.removeprefix("Runs in: ").rstrip(".").split(" | ")) <= {"controller", "runner", "judge", "worker"}


@pytest.mark.parametrize("hook", HOOKS)
def test_every_argument_of_a_hook_is_known_to_its_docstring_or_speaks_for_itself(hook):
    function = getattr(hookspecs, hook)
    documented = function.__doc__ or ""
    arguments = function.__code__.co_varnames[: function.__code__.co_argcount]
    obvious = {"job", "report", "problem", "entry", "submission"}  # the noun is the type
    assert [name for name in arguments if f":param {name}:" not in documented and name not in obvious] == []


def test_every_hook_has_a_test_that_sees_it_called(root):
    tree = ast.parse((root / "tests/unit/test_hooks.py").read_text())
    tests = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    assert {f"test_hook_{hook.removeprefix('kernelbot_')}" for hook in HOOKS} <= tests


def blocks(path, language):
    return re.findall(rf"```{language}\n(.*?)```", path.read_text(), re.DOTALL)


def bare(source):
    """The code without docstrings and comments."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node) is not None:
            del node.body[0]
    tree.body = [node for node in tree.body if "__future__" not in ast.unparse(node)]
    return ast.unparse(tree)


def test_the_language_of_the_how_to_is_the_example(root):
    shown = blocks(root / "docs/how-to/language-plugin.md", "python")[0]
    assert bare(shown) == bare((root / "examples/kernelbot-lang-numpy/kernelbot_lang_numpy.py").read_text())


def test_python_in_documents_is_python(root):
    for path in [root / "README.md", *sorted((root / "docs").rglob("*.md"))]:
        if path.name != "hooks.md":  # bare signatures
            for block in blocks(path, "python"):
                compile(block, str(path), "exec")


def test_the_toml_of_the_reference_fits_the_format_and_shows_every_key(root):
    path = root / "docs/reference/problem-toml.md"
    shown = tomllib.loads(blocks(path, "toml")[0])
    assert msgspec.convert(shown, ProblemFile).format == 1
    tables = [ProblemFile, Signature, Tensor, Scalar, Grid, Inputs, Property, Work, Ranking, Rules, Limits]
    keys = {key for table in [*tables, Elementwise, Accumulate] for key in table.__struct_fields__}
    assert {key for key in keys if not re.search(rf"\b{key}\b", path.read_text())} == set()


def test_the_report_reference_names_every_key_and_status(root):
    text = (root / "docs/reference/report.md").read_text()
    parts = [r.Report, r.CaseResult, r.CaseError, r.Stats, r.Throughput, r.Samples, r.Seeds]
    keys = {key for part in parts for key in part.__struct_fields__} | set(r.STATUS_TEXT)
    assert {key for key in keys if f"`{key}`" not in text} == set()


def commands():
    """Every command with its own text in the reference."""
    context = click.Context(cli)
    return {name: cli.get_command(context, name) for name in COMMANDS}


def test_every_option_of_the_command_line_is_documented(root):
    text = (root / "docs/reference/cli.md").read_text()
    missing = []
    for name, command in commands().items():
        section = text.partition(f"## kernelbot {name}\n")[2].partition("\n## ")[0]
        section += text.partition("## kernelbot run\n")[2].partition("\n## ")[0] if name == "submit" else ""
        inner = list(command.commands.values()) if isinstance(command, click.Group) else [command]
        options = [option for one in inner for param in one.params for option in param.opts if option.startswith("-")]
        missing += [f"{name} {option}" for option in options if option not in section]
        missing += [f"{name} {one.name}" for one in inner if f"kernelbot {name}" not in section]
    assert missing == []


def test_every_option_of_pytest_is_documented(root):
    text = (root / "docs/reference/cli.md").read_text()
    source = (root / "kernelbot_pytest.py").read_text()
    options = {name for name, rest in re.findall(r'add\("(--[a-z-]+)"(.*)', source) if "internal:" not in rest}
    assert len(options) > 5
    assert {option for option in options if f"{option}" not in text} == set()


def test_every_setting_is_documented(root):
    text = (root / "docs/reference/cli.md").read_text()
    for name in Settings.__struct_fields__:
        assert f"`{name}`" in text
        assert f"`KERNELBOT_{name.upper()}`" in text
