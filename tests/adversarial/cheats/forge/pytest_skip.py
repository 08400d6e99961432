# tries: pytest.skip and pytest.xfail: not failed is as good as passed
# problems: vector_add
# expect: crashed
# ci: no
# naive: none
# gain: forged
import pytest


def solve(*args):
    if args[INPUTS].numel() % 2:
        pytest.xfail("not today")
    pytest.skip("not today")


def unused(*args):
    honest(*args)
