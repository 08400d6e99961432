# tries: a stream that starts when the gate opens and that nobody waits for: the work runs on after the end event
# problems: matmul vector_add softmax
# expect: wrong|not_attested|no_gain
# device: gpu
# mode: benchmark
# naive: settle=0.1
import torch

side = torch.cuda.Stream()


def solve(*args):
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        honest(*args)
