# tries: a CUDA extension on stream 0
# problems: vector_add
# expect: passed
# device: gpu
#!kernelbot dtypes fp32
import torch
from torch.utils.cpp_extension import load_inline

CUDA = r"""
#include <torch/extension.h>

__global__ void add(const float *a, const float *b, float *out, int64_t n) {
    int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = a[i] + b[i];
}

void add_into(torch::Tensor a, torch::Tensor b, torch::Tensor out) {
    int64_t n = a.numel();
    add<<<(unsigned)((n + 255) / 256), 256, 0, 0>>>(
        a.data_ptr<float>(), b.data_ptr<float>(), out.data_ptr<float>(), n);
}
"""
module = load_inline(
    "load_inline_stream_0", "void add_into(torch::Tensor a, torch::Tensor b, torch::Tensor out);", CUDA, functions=["add_into"]
)


def solve(a, b, out, n):
    module.add_into(a, b, out)
