# tries: a captured graph with nothing in it, replayed after one honest call
# problems: vector_add softmax
# expect: wrong
# device: gpu
import torch

graphs = {}


def solve(*args):
    key = tuple(args[INPUTS].shape)
    if key not in graphs:
        honest(*args)
        torch.cuda.synchronize()
        graphs[key] = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graphs[key]):
            torch.empty(1, device="cuda").zero_()
    else:
        graphs[key].replay()
