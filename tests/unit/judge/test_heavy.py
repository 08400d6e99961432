"""The collector rests while torch is imported, and works afterwards."""

import gc
import sys

import pytest

from kernelbot_core.judge.heavy import import_heavy

MODULE = "import gc\nRESTS = not gc.isenabled()\nKEPT = [[] for _ in range(1000)]\n"


@pytest.fixture
def module(tmp_path, monkeypatch):
    """Writes a module that nobody has imported; what was frozen counts again afterwards."""

    def write(name, code):
        (tmp_path / f"{name}.py").write_text(code)
        monkeypatch.syspath_prepend(tmp_path)
        return name

    yield write
    gc.unfreeze()
    for name in ("of_many_objects", "of_no_use"):
        sys.modules.pop(name, None)


def test_the_collector_rests_and_forgets_what_came(module):
    name, before = module("of_many_objects", MODULE), gc.get_freeze_count()
    found = import_heavy(name)
    assert found.RESTS
    assert gc.isenabled()
    assert gc.get_freeze_count() >= before + 1000


def test_what_is_there_already_changes_nothing(module):
    found = import_heavy(module("of_many_objects", MODULE))
    gc.unfreeze()
    assert import_heavy(found.__name__) is found
    assert gc.get_freeze_count() == 0


def test_it_works_again_when_the_import_fails(module):
    with pytest.raises(ZeroDivisionError):
        import_heavy(module("of_no_use", "1 / 0\n"))
    assert gc.isenabled()
