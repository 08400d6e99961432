"""Hands the table of broken files to whoever asks for ``broken``: the table is data."""

from __future__ import annotations

import runpy
from pathlib import Path

BROKEN = runpy.run_path(str(Path(__file__).with_name("broken.py")))["BROKEN"]


def pytest_generate_tests(metafunc):
    if "broken" in metafunc.fixturenames:
        metafunc.parametrize("broken", BROKEN.values(), ids=BROKEN.keys())
