//!kernelbot language cuda
// expect: wrong
__global__ void add(const KB_T* a, const KB_T* b, KB_T* out, int64_t n) {
    const int64_t stride = int64_t{gridDim.x} * blockDim.x;
    for (int64_t i = blockIdx.x * int64_t{blockDim.x} + threadIdx.x; i < n - 1; i += stride) {
        out[i] = a[i] + b[i];
    }
}

extern "C" void solve(const KB_T* a, const KB_T* b, KB_T* out, int64_t n, cudaStream_t stream) {
    add<<<1024, 256, 0, stream>>>(a, b, out, n);
}
