# tries: honest for the first twelve calls of a shape, idle afterwards: past every warm-up it has heard of
# problems: vector_add softmax
# expect: wrong
# mode: benchmark
# ci: yes
calls = {}


def solve(*args):
    key = tuple(args[INPUTS].shape)
    calls[key] = calls.get(key, 0) + 1
    if calls[key] <= 12:
        honest(*args)
