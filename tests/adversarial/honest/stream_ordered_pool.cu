//!kernelbot language cuda
// tries: scratch memory from the stream-ordered pool
// problems: vector_add
// expect: passed
// device: gpu
// credit: the pool may ask the driver in some calls
__global__ void add(const KB_T *a, const KB_T *b, KB_T *out, int64_t n) {
    int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = a[i] + b[i];
}

extern "C" void solve(const KB_T *a, const KB_T *b, KB_T *out, int64_t n, cudaStream_t stream) {
    KB_T *scratch = nullptr;
    if (cudaMallocAsync(&scratch, n * sizeof(KB_T), stream) != cudaSuccess) return;
    add<<<(unsigned)((n + 255) / 256), 256, 0, stream>>>(a, b, scratch, n);
    cudaMemcpyAsync(out, scratch, n * sizeof(KB_T), cudaMemcpyDeviceToDevice, stream);
    cudaFreeAsync(scratch, stream);
}
