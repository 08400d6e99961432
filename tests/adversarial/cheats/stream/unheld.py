# tries: a stream that waits for nothing: the events on the default stream see an empty window
# problems: matmul vector_add softmax
# expect: wrong|not_attested|no_gain
# device: gpu
# mode: benchmark
# naive: settle=0.1
import torch

side = torch.cuda.Stream()


def solve(*args):
    with torch.cuda.stream(side):
        honest(*args)
