"""Samples before the real judge: each kind ends as it must, and a pack that says otherwise is found out."""

from __future__ import annotations

import pytest

from kernelbot_core.engine import check_samples
from kernelbot_core.engine.check_samples import expected, judge_sample, samples
from kernelbot_core.errors import UserError

RIGHT = "#!kernelbot language torch\nimport torch\n\n\ndef solve(a, b, out, n):\n    torch.add(a, b, out=out)\n"
WRONG = RIGHT.replace("torch.add", "torch.sub")


@pytest.fixture(scope="module")
def reports():
    return {}


@pytest.fixture
def judged_once(reports, monkeypatch):
    """The judge says the same of the same file, whatever the folder promises of it: it is asked once."""
    judge = check_samples.judge_file

    def known(found, problem, sample, **given):
        text = sample.read_text()
        if text not in reports:
            reports[text] = judge(found, problem, sample, **given)
        return reports[text]

    monkeypatch.setattr(check_samples, "judge_file", known)


@pytest.mark.parametrize(
    ("kind", "source", "ok", "status"),
    [
        ("right", RIGHT, True, "passed"),
        ("right", WRONG, False, "wrong"),
        ("wrong", WRONG, True, "wrong"),
        ("wrong", "# expect: crashed|timeout\n" + WRONG, False, "wrong"),
        ("cheat", RIGHT, False, "passed"),
    ],
)
def test_judged(make_pack, judged_once, kind, source, ok, status):
    folder = make_pack()
    sample = folder / "samples" / kind / "sample.py"
    sample.write_text(source)
    outcome = judge_sample(folder, sample)
    assert (outcome.ok, outcome.status) == (ok, status), outcome
    assert "\n" not in outcome.reason


@pytest.mark.parametrize(
    ("kind", "name", "content"),
    [("right", "a.py", b""), ("right", "b.py", b"\xff\xfe"), ("wrong", "c.txt", b"hello"), ("cheat", "d.py", b"")],
)
def test_a_file_that_cannot_be_judged_proves_nothing(make_pack, kind, name, content):
    folder = make_pack()
    sample = folder / "samples" / kind / name
    sample.write_bytes(content)
    outcome = judge_sample(folder, sample)
    assert (outcome.ok, outcome.status) == (False, "not accepted")
    assert outcome.reason


@pytest.mark.parametrize("line", ["passed", "wrong|passed", "infrastructure", "not_run", "rong", ""])
def test_an_expect_line_cannot_ask_for_anything(line):
    with pytest.raises(UserError, match="expect line"):
        expected(f"# expect: {line}\n", right=False)


def test_expect_lines():
    assert expected("// expect: wrong | crashed\n", right=False)[0] == {"wrong", "crashed"}
    assert expected("# expect: timeout", right=False)[1] == "timeout"
    everything, words = expected("x = 1", right=False)
    assert words == "anything but passed"
    assert "wrong" in everything
    assert not everything & {"passed", "not_run", "infrastructure"}
    assert expected("# expect: wrong", right=True)[0] == {"passed"}


def test_hidden_files_are_no_samples(make_pack):
    folder = make_pack()
    for name in ("right/b.py", "right/a.py", "right/_shared.py", "right/.swp", "cheat/c.py"):
        (folder / "samples" / name).write_text(RIGHT)
    (folder / "samples/right/folder").mkdir()
    assert [path.name for path in samples(folder)] == ["a.py", "b.py", "c.py"]
