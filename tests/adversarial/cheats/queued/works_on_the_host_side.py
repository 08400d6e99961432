# tries: waits for the inputs on the host, works on a side stream, and leaves the default stream an empty window
# problems: softmax
# expect: no_gain|not_attested|wrong
# device: gpu
# mode: benchmark
# naive: none
import time

import torch

side = torch.cuda.Stream()


def solve(*args):
    with torch.cuda.stream(side):
        first = args[0].reshape(-1)[:1].clone()
        until = time.monotonic() + 0.1
        while time.monotonic() < until and torch.equal(first, args[0].reshape(-1)[:1]):
            pass
        honest(*args)
        side.synchronize()
