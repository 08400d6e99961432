# expect: build_failed
def solve(a, b, out, n)
    pass
