"""A source of the largest size is looked at in seconds, whatever is in it: the square of that would be hours."""

import subprocess
import sys

import pytest

SIZE = (1 << 20) - 64
HOURS = 100
"""Seconds that nothing here needs."""
HEAD = "from kernelbot_core.plugins import registry; found = registry().languages; "
DETECT = HEAD + "[language.detect(source) for language in found.values()]"
IDENTITY = (
    HEAD + "from kernelbot_core.engine.identity import tokens; [list(tokens(source, one)) for one in found.values()]"
)
EXPECT = "from kernelbot_core.engine.check_samples import expected; expected(source, right=False)"


def looked_at(source, code):
    program = f"import sys; source = sys.stdin.read(); {code}"
    return subprocess.run([sys.executable, "-c", program], input=source, text=True, timeout=HOURS, check=False)


@pytest.mark.parametrize("part", ["\n", " ", "\t\n", "<<<", "import\n", "extern\n", "__global__ "])
def test_recognised(part):
    assert looked_at(part * (SIZE // len(part)), DETECT).returncode == 0


@pytest.mark.parametrize("part", ["R\"('", '"\\', "'\\", "/*", "#if 0\n'\n"])
def test_told_apart(part):
    assert looked_at(f"#if 0\n{part * (SIZE // len(part))}", IDENTITY).returncode == 0


def test_one_string_of_many_lines():
    assert looked_at('"""' + "\n" * SIZE + '"""', IDENTITY).returncode == 0


def test_what_a_sample_expects():
    spaces = " " * SIZE
    assert looked_at(f"# expect: wrong {spaces}| crashed {spaces}", EXPECT).returncode == 0
