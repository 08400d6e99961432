# expect: timeout
while True:
    pass


def solve(a, b, out, n):
    pass
