# tries: an output buffer that still holds what it put there in an earlier call
# problems: vector_add matmul
# expect: wrong
# ci: no
written = set()


def solve(*args):
    key = args[INPUTS].data_ptr()
    if key not in written:
        written.add(key)
        honest(*args)
