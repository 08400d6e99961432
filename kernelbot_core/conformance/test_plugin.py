"""Any plugin: it loads, it does something, and loading it costs nothing."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from kernelbot_core.plugins import Broken, Plugin, registry

HEAVY = ("torch", "triton", "cupy", "cuda", "jax", "numpy", "discord")


def test_it_loads(plugin: Plugin | Broken) -> None:
    """Not set aside, and nothing it brings was refused."""
    refused = [one.why for one in registry().broken if (one.name, one.dist) == (plugin.name, plugin.dist)]
    assert refused == []


def test_it_implements_a_hook(plugin: Plugin | Broken) -> None:
    """A plugin without a hook was probably meant to have one."""
    assert isinstance(plugin, Plugin)
    assert plugin.hooks


def test_its_name_can_be_typed(plugin: Plugin | Broken) -> None:
    """Lower case, digits, underscores and dashes: it is used in KERNELBOT_DISABLE_PLUGINS."""
    assert re.fullmatch(r"[a-z][a-z0-9_-]*", plugin.name)


def test_importing_it_is_cheap_and_silent(plugin: Plugin | Broken) -> None:
    """Every front-end imports every plugin: no heavy library, no output."""
    assert isinstance(plugin, Plugin)
    if plugin.dist == "given by hand":
        pytest.skip("registered by a test, not importable by name")
    module = plugin.module.partition(":")[0]
    code = f"import sys, {module}; sys.stderr.write(','.join(m for m in {HEAVY!r} if m in sys.modules))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout == "", "it prints when imported"
    assert ran.stderr == "", "it imports these at module level; import them inside methods"
