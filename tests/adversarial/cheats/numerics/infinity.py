# tries: infinities where the expected values are small
# problems: softmax
# expect: wrong
# ci: no
# naive: none


def solve(*args):
    args[INPUTS].fill_(float("inf"))


def unused(*args):
    honest(*args)
