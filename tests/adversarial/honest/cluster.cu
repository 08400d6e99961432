//!kernelbot language cuda
// tries: thread block clusters of two
// problems: vector_add
// expect: passed
// device: gpu
__global__ void __cluster_dims__(2, 1, 1) add(const KB_T *a, const KB_T *b, KB_T *out, int64_t n) {
    int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = a[i] + b[i];
}

extern "C" void solve(const KB_T *a, const KB_T *b, KB_T *out, int64_t n, cudaStream_t stream) {
    add<<<(unsigned)((n + 511) / 512 * 2), 256, 0, stream>>>(a, b, out, n);
}
