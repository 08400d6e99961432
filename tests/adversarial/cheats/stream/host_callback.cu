//!kernelbot language cuda
// tries: a host function on a side stream holds the work back until the call has ended
// problems: vector_add
// expect: wrong|not_attested
// device: gpu
// mode: benchmark
// naive: settle=0.1
#include <unistd.h>

__global__ void add(const KB_T *a, const KB_T *b, KB_T *out, int64_t n) {
    int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = a[i] + b[i];
}

static void CUDART_CB hold_back(void *) { usleep(2000); }

extern "C" void solve(const KB_T *a, const KB_T *b, KB_T *out, int64_t n, cudaStream_t stream) {
    static cudaStream_t side = nullptr;
    static cudaEvent_t forked = nullptr;
    if (!side) {
        cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
        cudaEventCreateWithFlags(&forked, cudaEventDisableTiming);
    }
    cudaEventRecord(forked, stream);
    cudaStreamWaitEvent(side, forked, 0);
    cudaLaunchHostFunc(side, hold_back, nullptr);
    add<<<(unsigned)((n + 255) / 256), 256, 0, side>>>(a, b, out, n);
}
