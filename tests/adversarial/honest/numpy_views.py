# tries: NumPy on views of the tensors
# problems: vector_add
# expect: passed
# ci: no
# device: cpu
#!kernelbot dtypes fp32
#!kernelbot language torch
import numpy


def solve(a, b, out, n):
    numpy.add(a.numpy(), b.numpy(), out=out.numpy())
