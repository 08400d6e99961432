from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from kernelbot_core.errors import PackError
from kernelbot_core.packs.grid import MOST_CELLS
from kernelbot_core.packs.load import load_problem

PACK = Path(__file__).parents[3] / "problem_packs" / "vector_add"


def copy_of(pack: Path, folder: Path) -> Path:
    target = folder / pack.name
    target.mkdir()
    for name in ("problem.toml", "problem.py"):
        (target / name).write_bytes((pack / name).read_bytes())
    return target


@pytest.fixture
def pack(tmp_path):
    return copy_of(PACK, tmp_path)


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(new + text if not old else text.replace(old, new, 1))


def message(folder: Path) -> str:
    with pytest.raises(PackError) as caught:
        load_problem(folder)
    assert "\n" not in caught.value.message
    assert caught.value.hint
    return caught.value.message


def test_a_broken_file_gives_one_line_with_file_and_key(broken, tmp_path):
    folder = copy_of(broken.pack, tmp_path)
    edit(folder / "problem.toml", broken.old, broken.new)
    assert message(folder) == f"{folder}/problem.toml: {broken.line}"


def test_an_error_quotes_no_more_than_one_can_read(tmp_path):
    folder = copy_of(PACK, tmp_path)
    edit(folder / "problem.toml", '"bf16"]', f'"{"b" * 100_000}"]')
    said = message(folder)
    assert "grid.dtypes: an entry needs a name of small letters, digits and _ (got 'bbb" in said
    assert len(said) < len(str(folder)) + 600


def test_the_documented_table_is_the_tested_one():
    script = Path(__file__).with_name("broken.py")
    made = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True).stdout
    page = script.parents[3] / "docs" / "reference" / "problem-toml-errors.md"
    assert page.read_text() == made, f"write it anew: python {script.name} > {page.name}"


def test_no_ranked_size(pack):
    text = (pack / "problem.toml").read_text()
    (pack / "problem.toml").write_text(text.replace("n = 1_0", "ranked = false, n = 1_0"))
    edit(pack / "problem.toml", ", ranked = false }", " }")
    assert message(pack).endswith("problem.toml: grid.sizes: no size is ranked")


def test_no_ranked_size_for_the_board_that_is_shown_first(pack):
    text = (pack / "problem.toml").read_text()
    (pack / "problem.toml").write_text(text.replace("{ n = 1_0", '{ dtypes = ["fp16", "bf16"], n = 1_0'))
    edit(pack / "problem.toml", "ragged = {", "ragged = { n = 7, ranked = false }\nother = {")
    assert message(pack).endswith("grid.sizes: no size is ranked for fp32, whose board is shown first")


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("def reference(", "def _reference(", ": reference: problem.toml asks for this function, and it is not there"),
        ("def magnitude(", "def _magnitude(", ": magnitude: problem.toml asks for this function, and it is not there"),
        ("def specials(", "def _specials(", ": specials: problem.toml asks for this function, and it is not there"),
        ("def reference(a, b)", "def reference(a, b, c)", ":0: reference: must take 2 arguments (a, b)"),
        ("def inputs(cell, gen)", "def inputs(cell)", ":0: inputs: must take 2 arguments (cell, gen)"),
        ("def shapes(cell)", "def shapes()", ":0: shapes: must take 1 argument (cell)"),
        ("def baseline(a, b, out, n)", "def baseline(a)", ":0: baseline: must take 4 arguments (a, b, out, n)"),
        ("def baseline(", "def helper(", ":0: helper: problem.toml does not ask for this function"),
        ("def reference(", "async def reference(", ":0: reference: is async; the judge calls it plainly"),
        ("def reference(a, b):", "def reference(a, b)", ":0: expected ':'"),
    ],
)  # fmt: skip
def test_functions_that_do_not_fit(pack, old, new, line):
    text = (pack / "problem.py").read_text()
    number = text[: text.index(old)].count("\n") + 1
    edit(pack / "problem.py", old, new)
    assert message(pack) == f"{pack}/problem.py{line.replace(':0:', f':{number}:')}"


@pytest.mark.parametrize("args", ["*args", "a, b, c=None", "a, /, b, *, d=1"])
def test_functions_may_take_more_than_they_get(pack, args):
    edit(pack / "problem.py", "def reference(a, b)", f"def reference({args})")
    load_problem(pack)


def test_files_that_are_not_there(tmp_path, pack):
    (pack / "problem.py").unlink()
    assert message(pack) == f"{pack}/problem.py: there is no such file"
    (pack / "problem.toml").unlink()
    assert message(pack) == f"{pack}/problem.toml: there is no such file"
    (pack / "problem.toml").mkdir()
    assert message(pack) == f"{pack}/problem.toml: Is a directory"


def test_files_that_are_not_text(pack):
    (pack / "problem.toml").write_bytes(b"\xff")
    assert "can't decode byte 0xff" in message(pack)


def test_a_file_that_is_too_large(pack):
    (pack / "problem.py").write_bytes(b"#" * (1 << 21))
    assert message(pack) == f"{pack}/problem.py: more than 1048576 bytes"


@pytest.mark.parametrize("name", ["Vector", "9lives", "with-dash", "x" * 33])
def test_the_folder_is_the_name(tmp_path, pack, name):
    assert "a pack's folder is its name" in message(pack.rename(tmp_path / name))


def test_cells_and_what_is_derived_from_them():
    problem = load_problem(PACK)
    cell = next(c for c in problem.cells if c.name == "medium-bf16")
    assert (cell.dims, cell.binding, cell.ranked, cell.devices) == ({"n": 1 << 20}, {"T": "bf16"}, True, ["cpu", "gpu"])
    assert (cell.bytes, cell.flops) == (3 * 2 * (1 << 20), 1 << 20)
    assert [c.size for c in problem.cells[::3]] == problem.sizes == ["small", "medium", "large", "ragged"]
    assert problem.board_dtype == "fp32"


def test_the_version_follows_what_is_judged(pack):
    before = load_problem(pack).version
    edit(pack / "problem.toml", 'title      = "Vector addition"', 'title = "Sum"  # and a comment')
    assert load_problem(pack).version == before
    edit(pack / "problem.toml", "seed = 20250411", "seed = 1")
    middle = load_problem(pack).version
    (pack / "problem.py").write_bytes((pack / "problem.py").read_bytes() + b"\n")
    assert len({before, middle, load_problem(pack).version}) == 3


def test_reading_imports_neither_torch_nor_the_pack(pack):
    edit(pack / "problem.py", "import torch\n", "import torch\nraise SystemExit(7)\n")
    code = (
        "import sys; from pathlib import Path; from kernelbot_core.packs.load import load_problem;"
        "load_problem(Path(sys.argv[1])); assert 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code, str(pack)], check=True)


@pytest.mark.parametrize("name", ["problem.toml", "problem.py"])
def test_a_pipe_is_not_waited_for(pack, name):
    (pack / name).unlink()
    os.mkfifo(pack / name)
    assert "not a regular file" in message(pack)


def test_a_grid_has_an_end(pack):
    many = "".join(f"s{number} = {{ n = {number + 1} }}\n" for number in range(MOST_CELLS // 3 + 1))
    edit(pack / "problem.toml", "[grid.sizes]", f"[grid.sizes]\n{many}#")
    assert f"at most {MOST_CELLS} cells" in message(pack)
