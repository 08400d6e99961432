# tries: one NaN among right values, for a comparison that looks at the greatest difference
# problems: vector_add
# expect: wrong
# ci: no
# naive: compare=max_diff
# gain: forged


def solve(*args):
    honest(*args)
    args[INPUTS].view(-1)[-1] = float("nan")
