# tries: a graph captured on the buffers of the first call, replayed whatever buffers are given
# problems: vector_add
# expect: wrong
# device: gpu
# mode: benchmark
# size: us5
# naive: none
# A cell of more than 32 MiB has one buffer set, and the first addresses are the only ones; smaller ones have eight.
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
