# tries: a raw kernel through CuPy, on tensors of torch
# problems: vector_add
# expect: passed
# device: gpu
#!kernelbot language torch
#!kernelbot dtypes fp32
import cupy

CODE = """
extern "C" __global__ void add(const float *a, const float *b, float *out, long long n) {
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = a[i] + b[i];
}
"""
kernel = cupy.RawKernel(CODE, "add")


def solve(a, b, out, n):
    arguments = tuple(cupy.asarray(tensor) for tensor in (a, b, out))
    kernel(((n + 255) // 256,), (256,), (*arguments, cupy.int64(n)))
