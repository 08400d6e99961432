# tries: memory in which the expected values have just lain: nothing is computed at all
# problems: matmul softmax
# expect: wrong
# device: gpu
# naive: output=back


def solve(*args):
    pass
