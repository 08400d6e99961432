"""A file may be called anything; while it is judged it has no name that a tool takes for something else."""

import pytest

from kernelbot_core.runner.local import file_name


@pytest.mark.parametrize("name", ["k.py", "my kernel.py", "conftest.py", "größe.cu", "k.py::t", "kernel.txt", "[x].py"])
def test_a_name_is_kept(name):
    assert file_name(name, [".py"]) == name


STRANGE = ("order.json", "build.json", "artifact", "-x.py", "@args.py", "a\nb.py", "a/..", "", "\x1b[2J.py")


@pytest.mark.parametrize("name", [*STRANGE, "\ufffd" * 80 + ".py"])
def test_a_name_that_means_something_is_not(name):
    assert file_name(name, [".py", ".pyt"]) == "submission.py"
