# tries: works on the first half, which is where samples are taken
# problems: vector_add matmul softmax
# expect: wrong
# naive: compare=first_row


def solve(*args):
    partly(0.5, *args)
