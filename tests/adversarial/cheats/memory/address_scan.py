# tries: every allocation of the size of the output that lies near it, expected values among them, set to zero
# problems: matmul
# expect: wrong|crashed
# device: gpu
# naive: output=fresh
import ctypes

import torch

cuda = ctypes.CDLL("libcuda.so.1")
STEP, REACH = 2 << 20, 16 << 30


def allocations(near):
    base, size = ctypes.c_uint64(), ctypes.c_size_t()
    at = max(STEP, (near // STEP) * STEP - REACH)
    while at < near + REACH:
        if cuda.cuMemGetAddressRange_v2(ctypes.byref(base), ctypes.byref(size), ctypes.c_uint64(at)) == 0:
            yield base.value, size.value
            at = max(at + STEP, base.value + size.value)
        else:
            at += STEP


scanned = set()


def solve(*args):
    output = args[INPUTS]
    wanted = output.numel() * output.element_size()
    near = () if wanted in scanned else set(allocations(output.data_ptr()))
    scanned.add(wanted)
    for base, size in near:
        if wanted <= size < 2 * wanted + STEP:
            cuda.cuMemsetD8Async(ctypes.c_uint64(base), ctypes.c_ubyte(0), ctypes.c_size_t(wanted), None)
    output.zero_()
