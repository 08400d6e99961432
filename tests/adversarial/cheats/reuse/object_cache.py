# tries: nothing at all when it is given the same tensor objects as before
# problems: vector_add softmax
# expect: wrong
# ci: no
seen = set()


def solve(*args):
    key = tuple(id(t) for t in args[:INPUTS])
    if key not in seen:
        seen.add(key)
        honest(*args)
