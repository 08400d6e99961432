"""A fault of the pack's own code ends as the machine's, and its author reads where it is."""

import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACK = ROOT / "problem_packs/vector_add"
REFERENCE = "    return a + b\n"
INPUTS = 'torch.empty(cell.dims["n"],'


@pytest.fixture
def faulty(tmp_path):
    """The folder of a copy of vector_add in which ``old`` reads ``new``, and the line where that is."""

    def make(old, new):
        folder = tmp_path / "faulty"
        shutil.copytree(PACK, folder)
        code = folder / "problem.py"
        text = code.read_text()
        assert text.count(old) == 1
        code.write_text(text.replace(old, new))
        return folder, text[: text.index(old)].count("\n") + 1

    return make


def test_exception_of_a_reference_is_told_with_its_line(judged, faulty, nothing_left):
    folder, line = faulty(REFERENCE, "    return a + missing\n")
    report = judged(PACK / "samples/right/torch_add.py", problem=f"{folder}/")
    assert report.status == "infrastructure"
    assert "check[small-fp32] was not reached: the judge stopped: NameError" in report.reason
    assert f"'missing' is not defined (problem.py:{line})" in report.reason


def test_inputs_that_break_the_signature_are_told(judged, faulty, nothing_left):
    folder, _ = faulty(INPUTS, 'torch.empty(cell.dims["n"] + 1,')
    report = judged(PACK / "samples/right/torch_add.py", problem=f"{folder}/")
    assert report.status == "infrastructure"
    assert "the judge stopped: faulty/problem.py: inputs() gave a as (1025,)" in report.reason
