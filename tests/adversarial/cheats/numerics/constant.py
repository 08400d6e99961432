# tries: the mean of the expected values everywhere
# problems: softmax
# expect: wrong
# ci: no
# naive: tolerance=0.01


def solve(*args):
    args[INPUTS].fill_(1.0 / args[INPUTS].shape[-1])


def unused(*args):
    honest(*args)
