# expect: crashed
def solve(a, b, out, n):
    raise ValueError("my own mistake")
