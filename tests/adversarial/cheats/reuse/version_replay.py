# tries: the last answer while address and version counter of the inputs stand still
# problems: matmul softmax
# expect: wrong
# ci: no
kept = {}


def solve(*args):
    output = args[INPUTS]
    key = tuple((t.data_ptr(), t._version, tuple(t.shape)) for t in args[:INPUTS])
    if key not in kept:
        honest(*args)
        kept.clear()
        kept[key] = output.clone()
    output.copy_(kept[key])
