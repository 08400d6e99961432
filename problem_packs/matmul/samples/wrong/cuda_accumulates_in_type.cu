//!kernelbot language cuda
// expect: wrong
// The running sum has the type of the inputs: fp32 is right, fp16 and bf16 lose terms.
__global__ void kernel(const KB_T* a, const KB_T* b, KB_O* c, int64_t m, int64_t n, int64_t k) {
    const int64_t col = int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
    const int64_t row = int64_t{blockIdx.y} * blockDim.y + threadIdx.y;
    if (row >= m || col >= n) return;
    KB_T total = static_cast<KB_T>(0.0f);
    for (int64_t i = 0; i < k; ++i) total = static_cast<KB_T>(total + a[row * k + i] * b[i * n + col]);
    c[row * n + col] = static_cast<KB_O>(total);
}

extern "C" void solve(const KB_T* a, const KB_T* b, KB_O* c, int64_t m, int64_t n, int64_t k, cudaStream_t stream) {
    const dim3 threads(16, 16);
    const dim3 blocks(static_cast<unsigned>((n + 15) / 16), static_cast<unsigned>((m + 15) / 16));
    kernel<<<blocks, threads, 0, stream>>>(a, b, c, m, n, k);
}
