//!kernelbot language cuda
// expect: build_failed
extern "C" void solve(const KB_T *a, const KB_T *b, KB_T *out, int64_t n, cudaStream_t stream) {
    add<<<1, 1>>>(a, b, out, n)
}
