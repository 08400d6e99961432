# tries: solve is an object with state of its own
# problems: vector_add
# expect: passed
# ci: no
import torch


class Adder:
    def __init__(self):
        self.calls = 0

    def __call__(self, a, b, out, n):
        self.calls += 1
        torch.add(a, b, out=out)


solve = Adder()
