"""A submission in this language, for the problem vector_add."""

import numpy as np


def solve(a, b, out, n):
    np.add(a, b, out=out)
