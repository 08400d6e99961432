//!kernelbot language cuda
// tries: a cooperative launch with a grid-wide barrier
// problems: vector_add
// expect: passed
// device: gpu
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void add(const KB_T *a, const KB_T *b, KB_T *out, int64_t n) {
    int64_t half = n / 2, step = (int64_t)gridDim.x * blockDim.x;
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < half; i += step) out[i] = a[i] + b[i];
    cg::this_grid().sync();
    for (int64_t i = half + (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) out[i] = a[i] + b[i];
}

extern "C" void solve(const KB_T *a, const KB_T *b, KB_T *out, int64_t n, cudaStream_t stream) {
    static int blocks = 0;
    if (!blocks) {
        int each = 0, sms = 0;
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, add, 256, 0);
        cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
        blocks = each * sms;
    }
    void *arguments[] = {&a, &b, &out, &n};
    cudaLaunchCooperativeKernel((const void *)add, dim3(blocks), dim3(256), arguments, 0, stream);
}
