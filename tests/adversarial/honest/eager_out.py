# tries: the library's own kernel into the output
# problems: vector_add
# expect: passed
# ci: no
import torch


def solve(a, b, out, n):
    torch.add(a, b, out=out)
