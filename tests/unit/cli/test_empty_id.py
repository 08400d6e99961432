"""An id that names nothing is refused by every command that takes one."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize("empty", ["", " ", "#"])
@pytest.mark.parametrize(
    "argv",
    [("show",), ("queue", "position"), ("queue", "cancel"), ("queue", "rerun"), ("compare", "twice", "abc"),
     ("admin", "invalidate", "--reason", "x", "twice"), ("admin", "reinstate", "twice"), ("admin", "rejudge", "twice")],
    ids=" ".join,
)  # fmt: skip
def test_it_is_refused(call, argv, empty):
    code, out, err = call(*argv, empty)
    assert (code, out) == (2, "")
    assert err.endswith(": names nothing\n")
    assert "Invalid value for" in err
