# tries: launches only once the gate's watchdog has given up, so that its times are held less strictly, and says a tenth
# problems: vector_add matmul
# expect: not_attested|no_gain
# device: gpu
# mode: benchmark
# naive: none
import time

import torch

side = torch.cuda.Stream()
best = [1e3]
honest_elapsed = torch.cuda.Event.elapsed_time


def elapsed(self, end):
    best[0] = min(best[0], honest_elapsed(self, end))
    return best[0] / 10


torch.cuda.Event.elapsed_time = elapsed


def solve(*args):
    with torch.cuda.stream(side):
        first = args[0].reshape(-1)[:1].clone()
        until = time.monotonic() + 0.05
        while time.monotonic() < until and torch.equal(first, args[0].reshape(-1)[:1]):
            pass
    honest(*args)
