# tries: the library's switch for ten-bit factors in fp32 products
# problems: matmul
# expect: wrong
# device: gpu
import torch

torch.backends.cuda.matmul.allow_tf32 = True


def solve(*args):
    honest(*args)
