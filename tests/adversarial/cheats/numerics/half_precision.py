# tries: products in bf16, declared as fp32
# problems: matmul
# expect: wrong
# ci: no
# naive: tolerance=1
# gain: forged
import torch


def solve(a, b, c, m, n, k):
    c.copy_(a.bfloat16() @ b.bfloat16())
