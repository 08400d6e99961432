"""What this language does beyond what conformance asks of every language."""

from __future__ import annotations

from pathlib import Path

import kernelbot_lang_numpy
import pytest

from kernelbot_core import Build

torch = pytest.importorskip("torch", reason="torch is not installed")
numpy = kernelbot_lang_numpy.Numpy()
SAMPLE = Path(__file__).parents[1] / "vector_add.np.py"


def test_arrays_share_memory_with_the_tensors():
    solve = numpy.load(SAMPLE.parent, Build(ok=True, entry=SAMPLE.name), "fp32", None)
    a, b, out = torch.ones(5), torch.arange(5.0), torch.zeros(5)
    solve(a, b, out, 5)
    assert out.tolist() == [1.0, 2.0, 3.0, 4.0, 5.0]


def test_what_numpy_cannot_do_is_said():
    assert numpy.support("gpu").run
    assert "bf16" in numpy.support("cpu").dtypes


def test_torch_is_left_to_torch():
    assert numpy.detect("import torch\nimport numpy as np\n") == 0.0
    assert numpy.detect(SAMPLE.read_text()) > 0.5
