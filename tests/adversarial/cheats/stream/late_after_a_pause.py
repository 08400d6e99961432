# tries: the work starts about a millisecond after the end event, when everybody must have stopped looking
# problems: softmax
# expect: wrong|not_attested
# device: gpu
# mode: benchmark
# naive: settle=0.1
import torch

side = torch.cuda.Stream()


def solve(*args):
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        torch.cuda._sleep(2_000_000)
        honest(*args)
