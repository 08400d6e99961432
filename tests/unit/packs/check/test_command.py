"""``kernelbot pack check``: exit codes, tables, one line per failure."""

from __future__ import annotations

import pytest

from kernelbot_core.cli import main
from kernelbot_core.cli import pack as cli_pack
from kernelbot_core.packs.finding import Finding


@pytest.fixture
def call(capsys):
    def run(*args):
        with pytest.raises(SystemExit) as ended:
            main(["pack", "check", *map(str, args)])
        said = capsys.readouterr()
        assert "Traceback" not in said.err
        return ended.value.code, said.out, said.err

    return run


def test_a_sound_pack_is_0(call, make_pack):
    code, out, _ = call(make_pack(), "--no-samples", "--unsafe")
    assert code == 0
    assert "SOUND: addition" in out
    assert "small-fp16" in out
    assert "2 not looked at here" in out


def test_an_unsound_pack_is_1_with_a_line_for_each_failure(call, make_pack):
    folder = make_pack([("fp16 = 1e-3", "fp16 = 1.5")])
    (folder / "README.md").unlink()
    code, out, _ = call(folder, "--no-samples", "--unsafe")
    assert code == 1
    lines = [line for line in out.splitlines() if line.startswith("✗ ")]
    assert [line.split(":")[0] for line in lines] == ["✗ README.md", "✗ small-fp16"]
    assert "FAILED: addition: 2 findings" in out


def test_a_pack_without_samples_is_1(call, make_pack):
    code, out, _ = call(make_pack())
    assert code == 1
    assert out.count("there is no sample") == 3


@pytest.mark.parametrize("spelt", ["addition", "./addition", "addition/"])
def test_a_folder_here_needs_no_slash(call, make_pack, monkeypatch, spelt):
    monkeypatch.chdir(make_pack().parent)
    assert call(spelt, "--no-samples", "--unsafe")[0] == 0


def test_a_name_will_do(call):
    assert "SOUND: vector_add" in call("vector_add", "--no-samples", "--unsafe")[1]


def test_what_is_no_pack_is_2_in_two_lines(call, make_pack, tmp_path):
    assert call("nothing_of_that_name")[0] == 2
    assert call(tmp_path)[0] == 2
    code, out, err = call(make_pack([("format = 1", "format = 9")]))
    assert (code, out) == (2, "")
    assert "problem.toml: format: 9" in err
    assert len(err.splitlines()) == 2


def test_text_of_a_pack_cannot_steer_the_terminal(call, make_pack, monkeypatch):
    bad = Finding("cell", "x", "call", False, "\x1b[31mred\x1b]0;title\x07\nsecond line")
    monkeypatch.setattr(cli_pack, "check_pack", lambda problem: iter([bad]))
    _, out, _ = call(make_pack(), "--no-samples", "--unsafe")
    assert "\x1b" not in out
    assert "✗ x: call: red second line" in out
