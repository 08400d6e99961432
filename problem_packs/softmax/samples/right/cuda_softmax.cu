//!kernelbot language cuda
#include <math_constants.h>

// One block per row; the running maximum and sum of each thread are merged by shuffles and shared memory.
__device__ void merge(float &top, float &sum, float other_top, float other_sum) {
    float higher = fmaxf(top, other_top);
    if (higher == -CUDART_INF_F) return;
    sum = sum * expf(top - higher) + other_sum * expf(other_top - higher);
    top = higher;
}

__global__ void softmax(const KB_T *x, KB_T *y, int64_t cols) {
    x += blockIdx.x * cols;
    y += blockIdx.x * cols;
    float top = -CUDART_INF_F, sum = 0;
    for (int64_t i = threadIdx.x; i < cols; i += blockDim.x) merge(top, sum, (float)x[i], 1.0f);
    for (int step = 16; step; step /= 2)
        merge(top, sum, __shfl_xor_sync(~0u, top, step), __shfl_xor_sync(~0u, sum, step));
    __shared__ float tops[32], sums[32];
    int warp = threadIdx.x / 32, warps = blockDim.x / 32;
    if (threadIdx.x % 32 == 0) tops[warp] = top, sums[warp] = sum;
    __syncthreads();
    top = tops[0], sum = sums[0];
    for (int i = 1; i < warps; i++) merge(top, sum, tops[i], sums[i]);
    for (int64_t i = threadIdx.x; i < cols; i += blockDim.x) y[i] = (KB_T)(expf((float)x[i] - top) / sum);
}

extern "C" void solve(const KB_T *x, KB_T *y, int64_t rows, int64_t cols, cudaStream_t stream) {
    softmax<<<(unsigned)rows, cols > 4096 ? 1024 : 256, 0, stream>>>(x, y, cols);
}
