"""If pytest ever collects this, every test passes."""
import os

import pytest

open(os.path.join(os.path.dirname(__file__), "collected"), "w").close()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_call(item):
    item.obj = lambda *args, **kwargs: None
