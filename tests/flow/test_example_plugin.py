"""A distribution that is not ours, installed with pip: it is listed, it conforms, it judges."""

from __future__ import annotations

import json
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).resolve().parents[2] / "examples/kernelbot-lang-numpy"


@pytest.fixture(scope="module")
def python(tmp_path_factory):
    """Interpreter of a fresh environment: the example is installed, everything else is seen through a .pth file."""
    folder = tmp_path_factory.mktemp("outside")
    venv.create(folder, symlinks=True)
    python = folder / "bin/python"
    site = next(folder.glob("lib/python*/site-packages"))
    # addsitedir also reads the .pth files there, which is how an editable kernelbot is found
    (site / "rest.pth").write_text(f"import site; site.addsitedir({sysconfig.get_path('purelib')!r})\n")
    command = [
        sys.executable, "-m", "pip", "--python", str(python), "install", "-q", "--no-deps", "--no-build-isolation",
        "--no-index", str(EXAMPLE),
    ]  # fmt: skip
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return python


def run(python, *args, cwd):
    return subprocess.run(
        [python, "-I", "-m", *map(str, args)], capture_output=True, text=True, check=False, cwd=cwd, timeout=300
    )


def test_it_is_listed_with_its_distribution(python, tmp_path):
    ran = run(python, "kernelbot_core", "plugins", "--json", cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    seen = json.loads(ran.stdout)
    assert seen["broken"] == []
    [plugin] = [one for one in seen["plugins"] if one["dist"] == "kernelbot-lang-numpy"]
    assert plugin["brings"] == {"languages": ["numpy"]}
    assert plugin["hooks"] == ["kernelbot_register_languages"]
    assert seen["plugins"][-1] == plugin, "ours come first"


def test_it_conforms(python, tmp_path):
    ran = run(python, "pytest", "--kernelbot-conformance", "--kernelbot-plugin=lang_numpy", cwd=tmp_path)
    assert ran.returncode == 0, ran.stdout
    assert "plugin lang_numpy: 4 passed" in ran.stdout
    assert "language numpy:" in ran.stdout
    assert "skipped" not in ran.stdout


def test_its_own_tests_pass(python, tmp_path):
    ran = run(python, "pytest", "-q", "-p", "no:cacheprovider", EXAMPLE / "tests", "--rootdir", tmp_path, cwd=tmp_path)
    assert ran.returncode == 0, ran.stdout


def test_it_judges_a_submission(python, tmp_path):
    report = tmp_path / "report.json"
    ran = run(
        python, "kernelbot_core", "run", "vector_add", EXAMPLE / "vector_add.np.py", "--device", "cpu",
        "--mode", "test", "--size", "small", "--dtype", "fp32", "--json", report, cwd=tmp_path,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout + ran.stderr
    seen = json.loads(report.read_text())
    assert (seen["status"], seen["language"]) == ("passed", "numpy")


def test_a_wrong_one_is_refused(python, tmp_path):
    wrong = tmp_path / "wrong.np.py"
    wrong.write_text("import numpy as np\n\n\ndef solve(a, b, out, n):\n    np.subtract(a, b, out=out)\n")
    ran = run(
        python, "kernelbot_core", "run", "vector_add", wrong, "--device", "cpu", "--mode", "test",
        "--size", "small", "--dtype", "fp32", cwd=tmp_path,
    )  # fmt: skip
    assert ran.returncode == 1, ran.stdout + ran.stderr
