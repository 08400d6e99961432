# tries: walks up the stack for whatever is called expected
# problems: matmul softmax
# expect: wrong
import sys


def solve(*args):
    output, frame = args[INPUTS], sys._getframe()
    while frame is not None:
        expected = frame.f_locals.get("expected")
        if isinstance(expected, torch.Tensor) and expected.shape == output.shape:
            output.copy_(expected)
            return
        frame = frame.f_back


def unused(*args):
    honest(*args)
