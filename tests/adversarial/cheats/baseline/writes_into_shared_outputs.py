# tries: writes into its output buffer after its calls, so that a baseline that shares it is found wrong: nobody's fault
# problems: matmul
# expect: wrong|no_gain|not_attested|crashed
# device: gpu
# mode: benchmark
# naive: none
import torch

side = torch.cuda.Stream()
calls = {}


def solve(*args):
    output = args[INPUTS]
    honest(*args)
    key = tuple(output.shape)
    calls[key] = calls.get(key, 0) + 1
    if calls[key] <= 3:
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            torch.cuda._sleep(4_000_000)
            for _ in range(40):
                output.view(-1)[:64].add_(1)
                torch.cuda._sleep(1_000_000)
