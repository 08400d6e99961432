# tries: torch.cuda.Event.elapsed_time says a tenth
# problems: vector_add matmul
# expect: not_attested
# device: gpu
# mode: benchmark
import torch

honest_elapsed = torch.cuda.Event.elapsed_time
torch.cuda.Event.elapsed_time = lambda self, end: honest_elapsed(self, end) / 10


def solve(*args):
    honest(*args)
