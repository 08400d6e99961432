"""Artifacts: what a reader would call the same program is one, and nothing else is."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from kernelbot_core.engine.identity import LARGEST, artifact_id, code_lines, tokens

PYTHON = SimpleNamespace(name="torch", comment="#", suffixes=(".py",))
CUDA = SimpleNamespace(name="cuda", comment="//", suffixes=(".cu",))
OTHER = SimpleNamespace(name="other", comment="#", suffixes=(".jl",))

PY = "import torch\n\n\ndef solve(a, b, out, n):\n    torch.add(a, b, out=out)\n"
CU = '#include <cuda.h>\n#define F(x) (x)\nextern "C" void solve(float *a) {\n  a[0] = F(1) + 2;\n}\n'


def same(one, other, language):
    return artifact_id(one, language) == artifact_id(other, language)


@pytest.mark.parametrize(
    "other",
    [
        "# fast\n" + PY,
        PY.replace("import torch\n", "import torch  # why\n"),
        PY.replace("    torch", "        torch"),
        PY.replace("a, b, out=out", "a,b,\n        out = out"),
        PY.replace("\n\n\n", "\n"),
        PY.replace("\n", "\r\n"),
        PY.rstrip("\n"),
    ],
)
def test_python_comments_and_blanks_make_no_new_artifact(other):
    assert same(PY, other, PYTHON)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (PY, PY.replace("add", "sub")),
        ("x = 'a # b'\n", "x = 'a # c'\n"),
        ("if a:\n    b\n    c\n", "if a:\n    b\nc\n"),
        ("x = f'{a}  {b}'\n", "x = f'{a} {b}'\n"),
        ("x = f'{{a}}'\n", "x = f'{a}'\n"),
        ("a\n-b\n", "a - b\n"),
        (PY, "#!kernelbot dtypes fp32\n" + PY),
    ],
)
def test_python_that_differs_is_another_artifact(one, other):
    assert not same(one, other, PYTHON)


@pytest.mark.parametrize(
    "other",
    [
        "// fast\n" + CU,
        CU.replace("  a[0]", "\t/* first\n element */ a [ 0 ]"),
        CU.replace("F(1) + 2;", "F(1)+2; // three"),
        CU.replace("(x) (x)", "(x)   (x) // same"),
        CU.replace("(x) (x)", "(x) \\\n (x)"),
        CU.replace(") {\n", ")\n{\n\n"),
    ],
)
def test_c_comments_and_blanks_make_no_new_artifact(other):
    assert same(CU, other, CUDA)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (CU, CU.replace("+ 2", "+ 3")),
        ('s = "a // b";', 's = "a // c";'),
        ('s = R"(a // b)";', 's = R"(a // c)";'),
        ('s = R"x(a )" // b)x";', 's = R"x(a )" // c)x";'),
        ("x = 1'000; s = \"it's // a\";", "x = 1'000; s = \"it's // b\";"),
        ("a + +b", "a++b"),
        ("a > > b", "a >> b"),
        ("#define F(x) x\n", "#define F (x) x\n"),
        ("#define A 1\nB\n", "#define A 1 B\n"),
        ("// c \\\nint a;", "// c\nint a;"),
        ("c = '\"'; // x\nd = '\"';", "c = '\"';"),
        (CU, "//!kernelbot dtypes fp32\n" + CU),
    ],
)
def test_c_that_differs_is_another_artifact(one, other):
    assert not same(one, other, CUDA)


def test_the_language_belongs_to_the_artifact():
    other = SimpleNamespace(name="triton", comment="#", suffixes=(".py",))
    assert artifact_id(PY, PYTHON) != artifact_id(PY, other)


def test_a_language_that_nobody_here_can_read_is_compared_by_lines():
    assert same("a\n\n# b\n  c  \n", "a\n  c\n", OTHER)
    assert not same("a\n  c\n", "a\nc\n", OTHER)


def test_python_that_does_not_parse_still_has_an_identity():
    assert same("def (:\n  'a\n", "# b\ndef (:\n  'a\n", PYTHON)
    assert not same("def (:\n", "def ((:\n", PYTHON)


HIDING = [
    "#if __has_include(</*>)\n#endif\n{}\n",
    "#if __has_include(</*>)\n#endif\n{}\n//*/\n",
    "%:if __has_include(</*>)\n%:endif\n{}\n",
    '#if __has_include("\\") != \'"/*\'\n#endif\n{}\n',
    "#define has __has_include\n#if has(</*>)\n#endif\n{}\n",
    "// " + "pad " * (LARGEST // 4) + "\n/*\n//*/ {}\n",
]


@pytest.mark.parametrize("hiding", HIDING)
def test_c_behind_what_only_looks_like_a_comment_is_code(hiding):
    assert not same(hiding.format("int a;"), hiding.format("int b;"), CUDA)
    assert code_lines(hiding.format("int\na\n;\nint b;"), CUDA) >= 4


def test_a_comment_behind_a_directive_is_a_comment():
    assert same("#define A 1\nint a;\n", "#define A 1 // why\nint a; /* b\n c */\n", CUDA)
    assert same("#define A 1\nint a;\n", "#define A 1 /* why */\nint a;\n", CUDA)


def test_lines_of_code():
    assert code_lines(PY, PYTHON) == 3
    assert code_lines("# a\n\nx = '''b\nc\n'''  # d\n", PYTHON) == 3
    assert code_lines(CU, CUDA) == 5
    for ending in ("\r", "\r\n"):
        assert code_lines(PY.replace("\n", ending), PYTHON) == 3
        assert code_lines(CU.replace("\n", ending), CUDA) == 5
        assert artifact_id(PY.replace("\n", ending), PYTHON) == artifact_id(PY, PYTHON)
    assert code_lines("/* a\n b */\n// c\nint d; /* e */\n\n", CUDA) == 1


def test_nothing_is_lost_but_comments_and_blanks():
    assert "".join(t.text for t in tokens(CU, CUDA) if t.lines) == "".join(CU.split())


@pytest.mark.parametrize(("language", "comment"), [(CUDA, "// why\n"), (PYTHON, "# why\n")])
def test_what_is_longer_than_anybody_writes_is_compared_by_lines(language, comment):
    source = "( " * (LARGEST // 2) + "\n"
    assert len(tokens(source, language)) == 1
    assert same(source, f"\n\n{source.rstrip()}", language)
    assert not same(source, comment + source, language), "such a line may end a comment, or stand in a string"
    assert not same(source, source.replace(" ", ""), language)
    assert len(tokens("( " * 100, CUDA)) == 100
