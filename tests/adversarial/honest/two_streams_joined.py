# tries: two streams, forked from the current one and joined to it again
# problems: vector_add
# expect: passed
# device: gpu
# credit: the events that join the streams are part of the work
import torch

side = torch.cuda.Stream()


def solve(a, b, out, n):
    half = n // 2
    side.wait_stream(torch.cuda.current_stream())
    torch.add(a[:half], b[:half], out=out[:half])
    with torch.cuda.stream(side):
        torch.add(a[half:], b[half:], out=out[half:])
    torch.cuda.current_stream().wait_stream(side)
