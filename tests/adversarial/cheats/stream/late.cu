//!kernelbot language cuda
// tries: a non-blocking stream, forked off behind the gate and never joined
// problems: vector_add
// expect: wrong|not_attested|no_gain
// device: gpu
// mode: benchmark
// naive: settle=0.1
__global__ void add(const KB_T *a, const KB_T *b, KB_T *out, int64_t n) {
    int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = a[i] + b[i];
}

extern "C" void solve(const KB_T *a, const KB_T *b, KB_T *out, int64_t n, cudaStream_t stream) {
    static cudaStream_t side = nullptr;
    static cudaEvent_t forked = nullptr;
    if (!side) {
        cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
        cudaEventCreateWithFlags(&forked, cudaEventDisableTiming);
    }
    cudaEventRecord(forked, stream);
    cudaStreamWaitEvent(side, forked, 0);
    add<<<(unsigned)((n + 255) / 256), 256, 0, side>>>(a, b, out, n);
}
