# tries: right row sums by two products with a vector, for a judge that compares a sketch it knows beforehand
# problems: matmul
# expect: wrong
# naive: compare=row_sums


def solve(a, b, c, m, n, k):
    c.zero_()
    c[:, 0] = a @ b.sum(1)


def unused(*args):
    honest(*args)
