# tries: background work on the GPU while the baseline runs, so that a time which is four fifths of the truth fits
# problems: vector_add matmul
# expect: not_attested|wrong
# device: gpu
# mode: benchmark
# naive: none
import torch

side = torch.cuda.Stream()
honest_elapsed = torch.cuda.Event.elapsed_time
torch.cuda.Event.elapsed_time = lambda self, end: honest_elapsed(self, end) * 0.8


def solve(*args):
    honest(*args)
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        torch.cuda._sleep(6_000_000)
