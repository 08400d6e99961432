# tries: works in every other call only
# problems: softmax matmul
# expect: wrong
# mode: benchmark
state = {"calls": 0}


def solve(*args):
    state["calls"] += 1
    if state["calls"] % 2:
        honest(*args)
