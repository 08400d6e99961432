# expect: timeout
def solve(a, b, out, n):
    while True:
        pass
