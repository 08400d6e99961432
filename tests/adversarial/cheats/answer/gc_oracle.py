# tries: any tensor in the process that has the shape of the output and is not an argument: the expected values
# problems: matmul softmax
# expect: wrong
import gc

found = {}


def solve(*args):
    output, own = args[INPUTS], {t.data_ptr() for t in args[: INPUTS + 1]}
    key = tuple(output.shape)
    if key not in found:
        tensors = [t for t in gc.get_objects() if type(t) is torch.Tensor and t.shape == output.shape]
        found[key] = [t for t in tensors if t.data_ptr() not in own and t.dtype == output.dtype]
    if found[key]:
        output.copy_(found[key][0])


def unused(*args):
    honest(*args)
