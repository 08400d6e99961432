"""Documents that describe code are held against the code."""

from __future__ import annotations

import ast
import importlib.util

import pytest

from kernelbot_core import hookspecs

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
