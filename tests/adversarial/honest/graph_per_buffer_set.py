# tries: a CUDA graph for each set of buffers, captured once and replayed
# problems: vector_add
# expect: passed
# device: gpu
# credit: a graph is captured at the first call of each set, maybe in a timed one
import torch

graphs = {}


def solve(a, b, out, n):
    key = (a.data_ptr(), b.data_ptr(), out.data_ptr(), n, a.dtype)
    if key not in graphs:
        torch.add(a, b, out=out)
        torch.cuda.synchronize()
        graphs[key] = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graphs[key]):
            torch.add(a, b, out=out)
    graphs[key].replay()
