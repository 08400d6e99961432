# tries: returns its output, which earns a credit for the copy, writes it in place instead, and understates by the credit
# problems: vector_add
# expect: not_attested|no_gain
# device: gpu
# mode: benchmark
# naive: none
import sys

import torch

honest_elapsed = torch.cuda.Event.elapsed_time
torch.cuda.Event.elapsed_time = lambda self, end: max(honest_elapsed(self, end) - 3e-3, 5e-4)
result = sys.modules.get("kernelbot_core.worker.result")
if result is not None:

    def in_place(returned, outputs):
        pass

    result.store = in_place


def solve(a, b, n):
    frame = sys._getframe()
    while frame is not None:
        worker = frame.f_locals.get("self")
        if hasattr(worker, "_sets"):
            break
        frame = frame.f_back
    if frame is None:
        return a + b
    mine = [one for one in worker._sets if one[0].data_ptr() == a.data_ptr()]
    torch.add(a, b, out=mine[0][2])
    return mine[0][2]
