# tries: honest while it might be checked, idle from the fourth call on
# problems: matmul vector_add softmax
# expect: wrong
# naive: check=before
calls = {}


def solve(*args):
    key = tuple(args[INPUTS].shape)
    calls[key] = calls.get(key, 0) + 1
    if calls[key] <= 1:
        honest(*args)
