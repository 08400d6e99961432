# tries: makes every call synchronise, so that its times are held less strictly, and says a tenth of them
# problems: vector_add matmul
# expect: not_attested|no_gain
# device: gpu
# mode: benchmark
# naive: repeats=3 warm=1
import time

import torch

calls = 0
honest_elapsed = torch.cuda.Event.elapsed_time
torch.cuda.Event.elapsed_time = lambda self, end: honest_elapsed(self, end) / 1000


def solve(*args):
    global calls
    calls += 1
    if calls > 3:
        time.sleep(0.03)
    honest(*args)
