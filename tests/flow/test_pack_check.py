"""``kernelbot pack check`` runs a pack's code behind walls, and believes only a check that is whole."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from kernelbot_core.cli import main
from kernelbot_core.runner.folder import JobFolder

PACK = Path(__file__).parents[2] / "problem_packs/vector_add"
NONSENSE = """\
import contextlib, os
for fd in range(3, 64):  # whatever number it has
    with contextlib.suppress(OSError):
        os.write(fd, b'nonsense\\n')
"""


@pytest.fixture
def check(tmp_path, capsys, nothing_left):
    """``check(code)``: exit code and output for vector_add with this code before that of its problem.py."""

    def run(code="", *options):
        folder = tmp_path / "vector_add"
        shutil.copytree(PACK, folder, ignore=shutil.ignore_patterns("__pycache__"))
        text = (folder / "problem.toml").read_text()
        sizes = text.index("[grid.sizes]")
        rest = text.index("\n[", sizes)
        (folder / "problem.toml").write_text(f"{text[:sizes]}[grid.sizes]\nsmall = {{ n = 64 }}\n{text[rest:]}")
        problem = folder / "problem.py"
        problem.write_text(f"{problem.read_text()}\n{code}")
        with pytest.raises(SystemExit) as ended:
            main(["pack", "check", str(folder), "--no-samples", *options])
        return ended.value.code, capsys.readouterr().out

    return run


def test_a_sound_pack_is_sound_with_and_without_walls(check, tmp_path):
    code, out = check()
    assert code == 0
    assert "SOUND: vector_add" in out
    shutil.rmtree(tmp_path / "vector_add")
    assert check("", "--unsafe") == (code, out)


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("import os; os._exit(0)", "the check ended with exit code 0 before it had looked at problem.py: import"),
        ("import os; os.kill(os.getpid(), 9)", "the check ended with signal 9 before"),
        ("reference = lambda a, b: __import__('os')._exit(0)", "before it had looked at small-fp32: rounded"),
        (NONSENSE, "something that is no finding"),
    ],
)
def test_a_check_that_ends_early_is_not_sound(check, code, why):
    ended, out = check(code)
    assert ended == 1
    assert "FAILED: vector_add" in out
    assert why in out


def test_a_slip_is_said_once_with_its_line(check, tmp_path):
    ended, out = check("def reference(a, b):\n    return a + undefined\n")
    line = (tmp_path / "vector_add/problem.py").read_text().splitlines().index("    return a + undefined") + 1
    said = f"call: NameError: name 'undefined' is not defined (problem.py:{line})"
    assert ended == 1
    assert f"✗ small-fp32, small-fp16, small-bf16: {said}" in out.splitlines()
    assert out.count("call: NameError") == 1


def test_code_of_a_pack_sees_nothing_of_its_user(check, tmp_path):
    secret, mark = tmp_path / "secret", tmp_path / "mark"
    secret.write_text("secret")
    code = f"import pathlib\nassert not pathlib.Path({str(secret)!r}).exists(), 'it is seen'\n"
    code += f"try:\n    pathlib.Path({str(mark)!r}).touch()\nexcept OSError:\n    pass\n"
    ended, out = check(code)
    assert ended == 0, out
    assert not mark.exists()


def test_the_folder_of_a_check_that_was_killed_is_swept(tmp_path, monkeypatch):
    code = (
        "import os\nfrom kernelbot_core.runner.folder import scratch\n"
        "with scratch('review') as folder:\n    print(folder, flush=True)\n    os.kill(os.getpid(), 9)\n"
    )
    env = {**os.environ, "TMPDIR": str(tmp_path)}
    ran = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, check=False, text=True)
    left = Path(ran.stdout.strip())
    assert left.is_dir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    JobFolder("next").close()
    assert not left.exists()
