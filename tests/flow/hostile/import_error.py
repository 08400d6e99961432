# expect: build_failed
import a_module_that_nobody_has


def solve(a, b, out, n):
    pass
