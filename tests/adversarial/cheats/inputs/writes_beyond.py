# tries: writes into whatever lies behind its output: the next tensor, perhaps the expected values
# problems: vector_add
# expect: wrong|crashed
# naive: none
# device: cpu
import ctypes


def solve(*args):
    out = args[INPUTS]
    honest(*args)
    ctypes.memset(out.data_ptr() + out.numel() * out.element_size(), 0, 64)
