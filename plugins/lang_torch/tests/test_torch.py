"""The language ``torch``: what is accepted, what is said otherwise, what the worker gets."""

from __future__ import annotations

import inspect
import linecache
import os
import subprocess
import sys
import traceback
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from kernelbot_core import Build, Problem
from kernelbot_lang_torch import Torch

BuildIt = Callable[..., tuple[Build, Path]]
GUESSED = "nothing in my_kernel.py says its language, it is taken for torch; `#!kernelbot language torch` settles it"
RIGHT = "import torch\n\ndef solve(a, b, out, n):\n    torch.add(a, b, out=out)\n"


def load(built: tuple[Build, Path], problem: Problem, dtype: str = "fp32") -> Callable[..., object]:
    return Torch().load(built[1], built[0], dtype, problem.signature)


@pytest.fixture
def vector_add(problem_named: Callable[[str], Problem]) -> Problem:
    return problem_named("vector_add")


def test_right_file(build: BuildIt, vector_add: Problem) -> None:
    import torch

    built = build(Torch(), RIGHT)
    assert built[0] == Build(ok=True, entry="my_kernel.py")
    a, b, out = torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0]), torch.zeros(2)
    load(built, vector_add)(a, b, out, 2)
    assert out.tolist() == [4.0, 6.0]


@pytest.mark.parametrize(
    ("source", "returns"),
    [
        ("def solve(a, b, n): return a + b", True),
        ("def solve(a, b, out, n): out.copy_(a + b)", False),
        ("def solve(*args): args[2].copy_(args[0])", False),
        ("def solve(a, *rest):\n    return a", True),
        ("def solve(a, b, out, n, block=128): out.copy_(a + b)", False),
        ("def solve(a, b, out, n=None): out.copy_(a + b)", False),
        ("def solve(a, b, n, block=128):\n    def inner(): return 1\n    return a + b", True),
        ("def solve(a, b, n):\n    def parts(): yield a\n    return next(parts())", True),
        ("def solve(a, b, out, n=0):\n    def inner(): return 1\n    inner()\n    return None", False),
        ("def solve(a, b, out, n, *, fast=True): pass", False),
        ("solve = lambda a, b, n: a + b", True),
        ("import torch\ndef f(a, b, n): return a + b\nsolve = torch.compile(f, dynamic=True)", True),
        ("import torch\ndef f(a, b, out, n): pass\ng = f\nsolve = g", False),
        ("import torch\n@torch.compile\ndef solve(a, b, n):\n    return a + b", True),
        ("if True:\n    def solve(a, b, n): return a + b\nelse:\n    pass", True),
        ("try:\n    import fast\nexcept ImportError:\n    def solve(a, b, n): return a + b", True),
        ("def solve(a): pass\ndef solve(a, b, n): return a", True),  # the last one counts
    ],
)
def test_form_by_the_number_of_parameters(build: BuildIt, source: str, returns: bool) -> None:
    made, _ = build(Torch(), source)
    guessed = [] if source.startswith(("import ", "try:")) else [GUESSED]
    assert (made.ok, made.returns_value, made.notes) == (True, returns, guessed), made.text


def test_imports_that_may_fail_are_left_alone(build: BuildIt) -> None:
    source = "try:\n    import no_such_thing\nexcept ImportError:\n    pass\nif False:\n    import no_such_thing\n"
    assert build(Torch(), source + RIGHT)[0].ok
    assert build(Torch(), RIGHT + "def f():\n    import no_such_thing\n")[0].ok


@pytest.mark.parametrize(
    "source",
    [
        "import math\nsolve = make()", "from math import sqrt as solve", "import math\nclass solve:\n    pass",
        "import math\nsolve = solve",
    ],
)  # fmt: skip
def test_arguments_that_cannot_be_seen(build: BuildIt, source: str) -> None:
    made, _ = build(Torch(), f"import torch\n{source}")
    assert made.ok
    assert not made.returns_value
    assert made.notes == ["the arguments of solve are not visible in the source; it is called with all of them"]


def test_a_guess_is_named_unless_the_file_says_it(build: BuildIt) -> None:
    source = "def solve(a, b, n): return a + b\n"
    assert build(Torch(), source)[0].notes == [GUESSED]
    assert build(Torch(), "#!kernelbot language torch\n" + source)[0].notes == []
    assert build(Torch(), "import torch\n" + source)[0].notes == []


def test_two_outputs(build: BuildIt) -> None:
    made, _ = build(Torch(), "def solve(x, rows, alpha): return x, x", problem="scaled")
    assert made.returns_value
    made, _ = build(Torch(), "def solve(x, y, rows, alpha): pass", problem="scaled")
    assert not made.ok
    assert "write solve(x, y, at, rows, alpha), which fills y, at, or solve(x, rows, alpha), which returns them" in (
        made.text
    )


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("import torch\n", "my_kernel.py: there is no function `solve` at the top level"),
        ("def solve(a):\n    pass", "my_kernel.py:1: solve() takes 1 arguments (a)"),
        ("\ndef solve(a, b, c, d, e, f): pass", "my_kernel.py:2: solve() takes 6 arguments (a, b, c, d, e, f)"),
        ("def solve(a, b, out, n, *, fast): pass", "my_kernel.py:1: the keyword-only argument fast of solve()"),
        (
            "import torch\nimport no_such_thing.part\n" + RIGHT,
            "my_kernel.py:2: no_such_thing is not in this environment, which has torch 2",
        ),
        ("from no_such_thing import *\n" + RIGHT, "my_kernel.py:1: no_such_thing is not in this environment"),
        ("async def solve(a, b, n): pass", "my_kernel.py:1: solve() is async"),
        ("def solve(a, b, out, n):\n    if n:\n        yield a", "my_kernel.py:3: solve() has a yield"),
        ("solve = lambda a, b, n: (yield a)", "my_kernel.py:1: solve() has a yield"),
        ("def custom_kernel(data): pass", "my_kernel.py: custom_kernel(data) is another judge's entry"),
        ("#!kernelbot dtypes fp64\n" + RIGHT, "the header line offers dtype fp64, which vector_add does not have"),
        ("#!kernelbot nonsense 1\n" + RIGHT, "my_kernel.py: line 1: unknown kernelbot header key 'nonsense'"),
        ("x = 1\0", "my_kernel.py"),
        ("def solve(a, b, n):\n\treturn a\n        return b\n", "my_kernel.py:3: "),
        ("x = " + "(" * 500 + ")" * 500, "my_kernel.py:1: too many nested parentheses"),
        ("x = " + "-" * 100_000 + "1", "nested too deeply"),
    ],
)
def test_refused_with_one_clear_text(build: BuildIt, source: str, text: str) -> None:
    made, out = build(Torch(), source)
    assert not made.ok
    assert text in made.text
    assert "Traceback" not in made.text
    assert not list(out.iterdir())


def test_both_forms_are_named(build: BuildIt) -> None:
    text = build(Torch(), "x = 1\n")[0].text
    assert text == (
        "my_kernel.py: there is no function `solve` at the top level; "
        "write solve(a, b, out, n), which fills out, or solve(a, b, n), which returns it"
    )


def test_syntax_error_has_line_and_caret(build: BuildIt) -> None:
    text = build(Torch(), "import torch\n\ndef solve(a, b, out, n):\n    total = = n\n")[0].text
    assert text == "my_kernel.py:4: invalid syntax\n    total = = n\n            ^"


def test_comments_are_comments_in_whatever_encoding_a_file_says_it_is(build: BuildIt, vector_add: Problem) -> None:
    hidden = "# coding: unicode_escape\n# \\u000adef solve(a, b, n): return 1\n"
    made, _ = build(Torch(), hidden)
    assert (made.ok, "no function `solve`" in made.text) == (False, True)
    solve = load(build(Torch(), hidden + "def solve(a, b, n): return 'Grüße'\n"), vector_add)
    assert solve(1, 2, 3) == "Grüße"


@pytest.mark.parametrize("mark", ["\f", "\v", "\x1c", "\x85", "\u2028"])
def test_lines_end_where_they_do_for_the_compiler(build: BuildIt, vector_add: Problem, mark: str) -> None:
    """What triton compiles is what ``inspect.getsource`` finds."""
    above = f"'''two{mark}parts'''\r\nimport inspect\rimport sys\n"
    solve = load(build(Torch(), above + "def solve(a, b, n):\n    return inspect.getsource(solve)\n"), vector_add)
    assert solve(1, 2, 3) == "def solve(a, b, n):\n    return inspect.getsource(solve)\n"
    text = build(Torch(), above + "def solve(a, b, n):\n    total = = n\n")[0].text
    assert text == "my_kernel.py:5: invalid syntax\n    total = = n\n            ^"


def test_nothing_is_executed(build: BuildIt, tmp_path: Path) -> None:
    trap = tmp_path / "trap"
    made, _ = build(Torch(), f"open({str(trap)!r}, 'w').write('x')\n" + RIGHT)
    assert made.ok
    assert not trap.exists()


def test_header_narrows_the_dtypes(build: BuildIt) -> None:
    assert build(Torch(), "#!kernelbot dtypes fp16 fp32\n" + RIGHT)[0].dtypes == ["fp32", "fp16"]


def test_a_warning_of_the_compiler_is_kept(build: BuildIt) -> None:
    assert "my_kernel.py:1: warning: " in build(Torch(), "x = '\\d'\n" + RIGHT)[0].text


def test_traceback_shows_the_participants_lines(build: BuildIt, vector_add: Problem) -> None:
    solve = load(build(Torch(), "def solve(a, b, n):\n    return a.nonsense  # here\n"), vector_add)
    with pytest.raises(AttributeError) as caught:
        solve(1, 2, 3)
    linecache.checkcache()
    text = "".join(traceback.format_exception(caught.value))
    assert 'File "my_kernel.py", line 2, in solve\n    return a.nonsense  # here' in text


def test_module_is_a_real_one(build: BuildIt, vector_add: Problem) -> None:
    source = (
        "from __future__ import annotations\nimport dataclasses, inspect, sys\n\n"
        "@dataclasses.dataclass\nclass Plan:\n    n: int = 1\n\n"
        "def solve(a, b, n):\n    return inspect.getsource(Plan), sys.modules[__name__].Plan is Plan, __file__\n"
    )
    built = build(Torch(), source)
    solve = load(built, vector_add)
    text, same, path = solve(1, 2, 3)  # type: ignore[misc]  # returns a tuple
    assert "class Plan:" in text
    assert same
    assert path == str(built[1] / "my_kernel.py")
    assert "def solve" in inspect.getsource(solve)


def test_executed_once_for_all_dtypes_and_anew_for_another_artifact(build: BuildIt, vector_add: Problem) -> None:
    source = "calls = []\n\ndef solve(a, b, n):\n    calls.append(1)\n    return len(calls)\n"
    one, two = build(Torch(), source), build(Torch(), source)
    assert [load(one, vector_add, label)(1, 2, 3) for label in ("fp32", "fp16")] == [1, 2]
    assert load(two, vector_add)(1, 2, 3) == 1


def test_an_error_at_import_passes_through(build: BuildIt, vector_add: Problem) -> None:
    built = build(Torch(), "raise OSError('at import')\n" + RIGHT)
    for _ in range(2):
        with pytest.raises(OSError, match="at import"):
            load(built, vector_add)


def test_solve_that_is_not_callable(build: BuildIt, vector_add: Problem) -> None:
    with pytest.raises(TypeError, match=r"solve in my_kernel\.py is 3, which cannot be called"):
        load(build(Torch(), "solve = 3\n"), vector_add)


@pytest.mark.parametrize("name", ["vector_add", "matmul", "scaled"])
def test_template_builds_and_runs(build: BuildIt, problem_named: Callable[[str], Problem], name: str) -> None:
    import torch

    problem = problem_named(name)
    built = build(Torch(), Torch().template(problem), problem=name)
    assert (built[0].ok, built[0].returns_value) == (True, False), built[0].text
    arguments = [torch.ones(3) for _ in problem.signature.tensors]
    load(built, problem)(*arguments, *problem.signature.scalars)
    inputs = len(problem.signature.inputs)
    assert all(not output.any() for output in arguments[inputs:])
    assert all(given.all() for given in arguments[:inputs])


@pytest.mark.parametrize(
    ("source", "least", "most"),
    [
        ("import torch\n", 0.6, 1), ("import torch\nimport cupy\n", 0.5, 0.5), ("import cupy as cp\n", 0.5, 0.5),
        ("import torch\nimport triton\n", 0.1, 0.5), ("def solve(a): pass\n", 0.3, 0.5), ("import numba\n", 0, 0),
        ("import time\nfrom math import pi\ndef solve(a): pass\n", 0.3, 0.5), ("import time\n", 0, 0),
    ],
)  # fmt: skip
def test_detect(source: str, least: float, most: float) -> None:
    assert least <= Torch().detect(source) <= most


def test_importing_the_plugin_is_cheap() -> None:
    code = """
import sys, kernelbot_lang_torch, kernelbot_lang_triton, kernelbot_lang_cuda
for plugin in (kernelbot_lang_torch, kernelbot_lang_triton, kernelbot_lang_cuda):
    for language in plugin.kernelbot_register_languages():
        language().available()
print({"torch", "triton", "numpy"} & set(sys.modules))
"""
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "set()"


@pytest.mark.slow
def test_torch_compile_in_a_process_of_its_own(build: BuildIt, tmp_path: Path) -> None:
    built, out = build(Torch(), "import torch\n\n@torch.compile\ndef solve(a, b, n):\n    return a * 2 + b\n")
    code = """
import sys, torch, msgspec, pathlib
from kernelbot_core import Build
from kernelbot_lang_torch import Torch
built = msgspec.json.decode(sys.argv[2].encode(), type=Build)
solve = Torch().load(pathlib.Path(sys.argv[1]), built, "fp32", None)
print(solve(torch.ones(4), torch.ones(4), 4).tolist())
"""
    cache = tmp_path / "inductor"
    environment = {
        "PATH": os.environ["PATH"], "HOME": str(tmp_path), "TMPDIR": str(tmp_path),
        "TORCHINDUCTOR_CACHE_DIR": str(cache), **Torch().environment("cpu"),
        # One kernel: headers that are compiled ahead, and trial programs for the processor, cost more than it does.
        "TORCHINDUCTOR_CPP_CACHE_PRECOMPILE_HEADERS": "0", "TORCHINDUCTOR_VEC_ISA_OK": "1",
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-I", "-B", "-c", code, str(out), msgspec.json.encode(built).decode()],
        env=environment, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert done.stdout.strip() == "[3.0, 3.0, 3.0, 3.0]", done.stderr
    assert any(cache.rglob("*.so"))
