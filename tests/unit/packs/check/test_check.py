"""``pack check``: a sound pack has no bad finding, and each way to be unsound has its own."""

from __future__ import annotations

import pytest

from kernelbot_core.packs.check import check_pack
from kernelbot_core.packs.load import load_problem


def bad(folder):
    return {(f.name, f.check): f.text for f in check_pack(load_problem(folder)) if f.ok is False}


def test_a_sound_pack(make_pack):
    findings = list(check_pack(load_problem(make_pack())))
    assert [f for f in findings if f.ok is False] == []
    assert [f.name for f in findings if f.ok is None] == ["large-fp32", "large-fp16"]
    looked_at = {(f.name, f.check) for f in findings if f.ok}
    assert looked_at >= {("small-fp16", c) for c in ("seed", "rounded", "baseline", "zeros", "stale")}
    assert looked_at >= {("shapes-fp32", c) for c in ("cases", "rounded", "baseline")}


REFERENCE = "def reference(a, b):\n    return a + b\n"
SEPARABLE = ("[grid]\n", 'separable = "n"\n[grid]\n')
UNSOUND = {
    "tight": ([("fp16 = 1e-3", "fp16 = 1e-6")], [], ("small-fp16", "rounded"), "tighter than rounding"),
    "wide": ([("fp16 = 1e-3", "fp16 = 1.5")], [], ("small-fp16", "zeros"), "zeros passes"),
    "tame": ([], [("gen).add(0.1)", "gen).mul(0)")], ("small-fp32", "zeros"), "zeros passes"),
    "same": ([], [(", generator=gen).add(0.1)", ").fill_(1)")], ("small-fp32", "stale"), "other inputs passes"),
    "own randomness": ([], [(", generator=gen)", ")")], ("small-fp16", "seed"), "draw everything from gen"),
    "baseline": (
        [],
        [(REFERENCE, f"{REFERENCE}\ndef baseline(a, b, out, n):\n    torch.sub(a, b, out=out)\n")],
        ("small-fp32", "baseline"),
        "out[",
    ),
    "raises": ([], [("return a + b", "return a + undefined")], ("small-fp32", "call"), "NameError"),
    "shape": ([], [("return a + b", "return (a + b)[:1]")], ("small-fp32", "call"), "the signature says [(64,)]"),
    "input": ([], [('cell.dtypes["T"]', "torch.float64")], ("small-fp16", "call"), "the signature says (64,)"),
    "no case": ([], [('Case({"n": n})', "n")], ("shapes-fp32", "cases"), "draws int"),
    "no dims": ([], [('Case({"n": n})', 'Case({"m": n})')], ("shapes-fp32", "cases"), "['m']"),
    "zero": ([], [("[1, 3, 33]", "[0, 1]")], ("shapes-fp32", "cases"), "n = 0"),
    "strategy raises": ([], [("[1, 3, 33]", "[]")], ("shapes-fp32", "cases"), "length-zero"),
    "fill": (
        [],
        [('Case({"n": n})', 'Case({"n": n}, fill=lambda a, b: a.resize_(0))')],
        ("shapes-fp32", "cases"),
        "the signature says",
    ),
    "not separable": (
        [SEPARABLE],
        [("return a + b", "return a + b.flip(0)")],
        ("small-fp32", "blocks"),
        "reference() of n = 0 to 21 is not that slice",
    ),
    "scale not separable": (
        [SEPARABLE],
        [("b.abs()", "b.abs().max()")],
        ("small-fp16", "blocks"),
        "magnitude() of n = ",
    ),
    "import": (
        [],
        [("import torch\n", "import torch, nothing_of_that_name\n")],
        ("problem.py", "import"),
        "nothing_of",
    ),
}


@pytest.mark.parametrize("name", UNSOUND)
def test_an_unsound_pack_is_named(make_pack, name):
    toml, code, where, words = UNSOUND[name]
    found = bad(make_pack(toml, code))
    assert where in found, found
    assert words in found[where]
    assert all("\n" not in text for text in found.values())


REPEATED = ("return a + b\n", "return _added(a, b)\n\n\ndef _added(a, b):\n    return a + undefined\n")


@pytest.mark.parametrize(
    ("change", "where", "words"),
    [
        (REPEATED, ("small-fp32", "call"), "NameError: name 'undefined' is not defined (problem.py:16)"),
        (("return a + b", "return torch.add(a, b[:1:0])"), ("small-fp32", "call"), "(problem.py:12)"),
        (("[1, 3, 33]", "undefined"), ("shapes-fp32", "cases"), "(problem.py:20)"),
        (("def inputs", "undefined()\n\n\ndef inputs"), ("problem.py", "import"), "not defined (problem.py:7)"),
    ],
)
def test_what_raises_has_its_line(make_pack, change, where, words):
    found = bad(make_pack([], [change]))
    assert found[where].endswith(words)
    assert found[where].count(words) == 1


def test_what_says_that_it_is_separable_proves_it(make_pack):
    findings = list(check_pack(load_problem(make_pack([SEPARABLE], []))))
    assert {f.name for f in findings if f.check == "blocks" and f.ok} == {"small-fp32", "small-fp16"}
    assert [f for f in findings if f.ok is False] == []


@pytest.mark.parametrize("text", [None, "Add.", b"\xff" * 90])
def test_a_statement_is_asked_for(make_pack, text):
    folder = make_pack()
    path = folder / "README.md"
    path.unlink()
    if text is not None:
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    assert str(path) in bad(folder)["README.md", "statement"]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("solve(a, b, out, n)", "solve(a, b, out)", "the call is not in it: solve(a, b, out, n)"),
        ('extern "C" void solve(const KB_T* a', 'extern "C" void solve(KB_T* a', "the call in C is another"),
    ],
)
def test_a_statement_states_the_call(make_pack, old, new, words):
    path = make_pack() / "README.md"
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))
    assert words in bad(path.parent)["README.md", "statement"]


@pytest.mark.parametrize("formula", ["n", "100 * n * sizeof(T)"])
def test_work_is_sane(make_pack, formula):
    folder = make_pack([("3 * n * sizeof(T)", formula)])
    assert bad(folder).keys() == {("problem.toml", "work")}


def test_nothing_is_left_behind(make_pack, tmp_path, monkeypatch):
    folder, here = make_pack(), tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    before = sorted(folder.rglob("*"))
    assert bad(folder) == {}
    assert list(here.iterdir()) == []
    assert sorted(folder.rglob("*")) == before


CUSTOM = [('rule = "elementwise"\nscale = "magnitude"\neps = { fp16 = 1e-3 }', 'rule = "check"')]
MAGNITUDE = "def magnitude(a, b):\n    return a.abs() + b.abs()\n"


@pytest.mark.parametrize("answer", ["found", "bool(found)", "'' if found else 'too far away'"])
def test_a_check_of_the_packs_own_sees_the_cell_and_may_answer_as_it_likes(make_pack, answer):
    check = f"""def check(expected, got, inputs, cell):
    assert cell.dims["n"] == inputs[0].numel()
    assert got[0].dtype == cell.dtypes["T"]
    assert torch.device(cell.device) == got[0].device
    found = ((expected[0] - got[0].double()).abs() <= 2e-3).all()
    return {answer}
"""
    folder = make_pack(CUSTOM, [(MAGNITUDE, check)])
    assert bad(folder) == {}
