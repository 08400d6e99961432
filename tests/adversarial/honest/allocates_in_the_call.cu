//!kernelbot language cuda
// tries: scratch memory that is allocated and freed in every call
// problems: vector_add
// expect: passed
// device: gpu
// credit: synchronises inside the call
__global__ void add(const KB_T *a, const KB_T *b, KB_T *out, int64_t n) {
    int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = a[i] + b[i];
}

extern "C" void solve(const KB_T *a, const KB_T *b, KB_T *out, int64_t n, cudaStream_t stream) {
    KB_T *scratch = nullptr;
    if (cudaMalloc(&scratch, n * sizeof(KB_T)) != cudaSuccess) return;
    add<<<(unsigned)((n + 255) / 256), 256, 0, stream>>>(a, b, scratch, n);
    cudaMemcpyAsync(out, scratch, n * sizeof(KB_T), cudaMemcpyDeviceToDevice, stream);
    cudaFree(scratch);
}
