//!kernelbot language cuda
// expect: wrong
// One block for each row, without the shift by the maximum: overflows on large values.
__global__ void softmax(const KB_T* x, KB_T* y, int64_t cols) {
    __shared__ float partial[256];
    const KB_T* row = x + blockIdx.x * cols;
    float sum = 0.0f;
    for (int64_t i = threadIdx.x; i < cols; i += blockDim.x) sum += expf(static_cast<float>(row[i]));
    partial[threadIdx.x] = sum;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
        __syncthreads();
    }
    for (int64_t i = threadIdx.x; i < cols; i += blockDim.x) {
        y[blockIdx.x * cols + i] = static_cast<KB_T>(expf(static_cast<float>(row[i])) / partial[0]);
    }
}

extern "C" void solve(const KB_T* x, KB_T* y, int64_t rows, int64_t cols, cudaStream_t stream) {
    softmax<<<static_cast<unsigned>(rows), 256, 0, stream>>>(x, y, cols);
}
