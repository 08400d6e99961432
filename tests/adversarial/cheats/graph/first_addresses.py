# tries: a graph captured on the buffers of the first call, replayed whatever buffers are given
# problems: vector_add
# expect: wrong
# device: gpu
# mode: benchmark
# naive: none
import torch

graphs = {}


def solve(*args):
    key = tuple(args[INPUTS].shape)
    if key not in graphs:
        honest(*args)
        torch.cuda.synchronize()
        graphs[key] = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graphs[key]):
            honest(*args)
    graphs[key].replay()
