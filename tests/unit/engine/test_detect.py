"""Which language a file is in: asked, stated or recognised."""

from __future__ import annotations

import pytest

from kernelbot_core import UsageError
from kernelbot_core.engine.detect import Header, detect_language, read_header
from kernelbot_core.interfaces.language import Language
from kernelbot_lang_cuda import Cuda
from kernelbot_lang_torch import Torch
from kernelbot_lang_triton import Triton

TORCH = "import torch\n\ndef solve(a, b, out, n):\n    torch.add(a, b, out=out)\n"
TRITON = "import torch\nimport triton\n\n@triton.jit\ndef kernel(p):\n    pass\n\ndef solve(a, b, out, n):\n    pass\n"
CUDA = 'extern "C" void solve(const float* a) {}\n'
STATED = ", or in the file: #!kernelbot language NAME"
BUILTIN: dict[str, Language] = {"torch": Torch(), "triton": Triton(), "cuda": Cuda()}


class Numpy(Torch):
    """A stranger with a suffix of two parts."""

    name = "numpy"
    suffixes = (".np.py",)

    def detect(self, source: str) -> float:
        return 0.9 if "numpy" in source else 0.0


class Broken(Torch):
    """Its detect fails."""

    name = "broken"

    def detect(self, source: str) -> float:
        raise RuntimeError("boom")


@pytest.mark.parametrize(
    ("filename", "source", "expected"),
    [
        ("k.py", TORCH, "torch"),
        ("k.py", TRITON, "triton"),
        ("K.PY", TRITON, "triton"),
        ("k.py", "def solve(a, b, n):\n    return a + b\n", "torch"),
        ("k.py", "import triton\nimport torch\n", "triton"),
        ("k.cu", CUDA, "cuda"),
        ("k.cu", "", "cuda"),  # one language only knows the suffix
        ("k.txt", '#include <x>\n__global__ void k() {}\nextern "C" void solve() {}\n', "cuda"),
        ("stdin", TRITON, "triton"),
    ],
)
def test_recognised(filename: str, source: str, expected: str) -> None:
    assert detect_language(filename, source, None, BUILTIN) == expected


def test_the_longest_suffix_wins() -> None:
    languages = BUILTIN | {"numpy": Numpy()}
    assert detect_language("k.np.py", TORCH, None, languages) == "numpy"
    assert detect_language("k.py", "import numpy\n" + TORCH, None, languages) == "torch"


def test_asked_and_stated_before_recognised() -> None:
    assert detect_language("k.py", TRITON, "torch", BUILTIN) == "torch"
    assert detect_language("k.py", "#!kernelbot language torch\n" + TRITON, None, BUILTIN) == "torch"
    assert detect_language("k.py", "#!kernelbot language torch\n" + TRITON, "torch", BUILTIN) == "torch"


def test_header_against_option() -> None:
    with pytest.raises(UsageError, match=r"lang says triton, the header line of k\.py says torch"):
        detect_language("k.py", "#!kernelbot language torch\n", "triton", BUILTIN)


@pytest.mark.parametrize(("source", "lang"), [("", "fortran"), ("#!kernelbot language fortran\n", None)])
def test_unknown_name(source: str, lang: str | None) -> None:
    with pytest.raises(UsageError, match="fortran, which is not a language here") as caught:
        detect_language("k.py", source, lang, BUILTIN)
    assert caught.value.hint == "known: cuda, torch, triton"


def test_nothing_convincing_is_asked() -> None:
    with pytest.raises(UsageError, match=r"cannot tell the language of k\.py") as caught:
        detect_language("k.py", "print('hello')\n", None, BUILTIN)
    assert caught.value.message == "cannot tell the language of k.py"
    assert caught.value.hint == f"say --lang torch or --lang triton{STATED}"
    with pytest.raises(UsageError, match=r"cannot tell the language of k\.xyz") as caught:
        detect_language("k.xyz", TORCH.replace("torch", "jax"), None, BUILTIN)
    assert caught.value.hint == f"say --lang cuda or --lang torch or --lang triton{STATED}"


def test_cuda_in_a_file_named_like_python() -> None:
    with pytest.raises(UsageError) as caught:
        detect_language("k.py", "__global__ void k() {}\n" + CUDA, None, BUILTIN)
    assert caught.value.message == "k.py looks like cuda, by its name it is another language"
    assert caught.value.hint == "let its name end in .cu, or say --lang cuda"
    embedded = f"SOURCE = '__global__ void k() {{}}'\n{TORCH}"
    assert detect_language("k.py", embedded, None, BUILTIN) == "torch"


@pytest.mark.parametrize(
    "source",
    [
        "import os\nimport trition\n",
        "'''\nfrom here on nothing is imported'''\nfrom trition.language import load\n",
        "from __future__ import annotations\nimport trition as tl, os  # kernels\n",
    ],
)
def test_a_misspelt_import_is_named(source: str) -> None:
    source += "\n@trition.jit\ndef kernel(p):\n    pass\n"
    with pytest.raises(UsageError) as caught:
        detect_language("k.py", source, None, BUILTIN)
    line = source[: source.index("trition")].count("\n") + 1
    assert caught.value.message == (
        f"cannot tell the language of k.py: line {line} imports trition, which is not known here (misspelt?)"
    )
    assert caught.value.hint == f"say --lang torch or --lang triton{STATED}"


def test_a_tie_is_asked() -> None:
    class Twin(Torch):
        name = "twin"

    with pytest.raises(UsageError, match=r"k\.py may be torch or twin") as caught:
        detect_language("k.py", TORCH, None, BUILTIN | {"twin": Twin()})
    assert caught.value.hint == f"say --lang torch or --lang twin{STATED}"


def test_a_plugin_that_fails_recognises_nothing(caplog: pytest.LogCaptureFixture) -> None:
    assert detect_language("k.py", TORCH, None, BUILTIN | {"broken": Broken()}) == "torch"
    assert "language broken failed" in caplog.text


def test_no_language_at_all() -> None:
    with pytest.raises(UsageError, match="no language is installed"):
        detect_language("k.py", TORCH, None, {})


def test_header_keys() -> None:
    lines = ["language torch", "problem vector_add", "gpu H200", "dtypes fp32, fp16"]
    source = "\ufeff" + "".join(f"#!kernelbot {line}\n" for line in lines)
    assert read_header(source) == Header(language="torch", problem="vector_add", gpu="H200", dtypes=("fp32", "fp16"))
    assert read_header("//!kernelbot dtypes fp32 bf16\nint x;\n").dtypes == ("fp32", "bf16")
    source = "//!kernelbot launch fill<<<1, 32>>>(out)\n//!kernelbot launch add<<<cdiv(n, 256), 256>>>(a, b, out, n)\n"
    assert read_header(source).launch == ("fill<<<1, 32>>>(out)", "add<<<cdiv(n, 256), 256>>>(a, b, out, n)")
    assert read_header("#!/usr/bin/env python\nx = '#!kernelbot nonsense here'\n") == Header()


def test_popcorn_lines() -> None:
    assert read_header("#!POPCORN leaderboard vectoradd_v2\n#!POPCORN gpus H100\n#!POPCORN other x\n") == Header(
        problem="vectoradd_v2", gpu="H100"
    )
    assert read_header("//!POPCORN leaderboard sort\n").problem == "sort"


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("import torch\n#!kernelbot lang torch\n", "line 2: unknown kernelbot header key 'lang'"),
        ("#!kernelbot\n", r"line 1: unknown kernelbot header key '\(none\)'"),
        ("#!kernelbot dtypes\n", "line 1: the kernelbot header key dtypes has no value"),
        ("#!kernelbot dtypes ,\n", "line 1: the kernelbot header key dtypes has no value"),
        ("#!kernelbot gpu H100\n#!kernelbot gpu H200\n", "line 2: gpu is H200 here and H100 above"),
        ("#!kernelbot gpu H100 H200\n", "line 1: .* needs exactly one name"),
        ("#!POPCORN gpus H100 B200\n", "line 1: .* needs exactly one name"),
    ],
)
def test_bad_header(source: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        read_header(source)
