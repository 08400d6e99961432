# tries: a difference that is not a number is not above any tolerance
# problems: softmax matmul
# expect: wrong
# naive: compare=max_diff


def solve(*args):
    args[INPUTS].fill_(float("nan"))


def unused(*args):
    honest(*args)
