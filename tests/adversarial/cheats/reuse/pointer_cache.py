# tries: the answer of the first call for everything that lies at the same addresses
# problems: matmul vector_add softmax
# expect: wrong
kept = {}


def solve(*args):
    output = args[INPUTS]
    key = tuple(t.data_ptr() for t in args[:INPUTS]) + tuple(output.shape)
    if key not in kept:
        honest(*args)
        kept[key] = output.clone()
    else:
        output.copy_(kept[key])
