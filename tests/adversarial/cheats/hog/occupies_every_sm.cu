//!kernelbot language cuda
// tries: a side-stream kernel that takes every SM and does the work there; the events see an empty default stream
// problems: vector_add
// expect: wrong|not_attested|no_gain
// device: gpu
// mode: benchmark
// naive: settle=0.1
__global__ void __launch_bounds__(1024) hog(const KB_T *a, const KB_T *b, KB_T *out, int64_t n) {
    extern __shared__ char room[];
    if (threadIdx.x == 0) room[0] = 0;
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (int64_t)gridDim.x * blockDim.x)
        out[i] = a[i] + b[i];
    unsigned long long began, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(began));
    do asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now)); while (now - began < 300000);
}

extern "C" void solve(const KB_T *a, const KB_T *b, KB_T *out, int64_t n, cudaStream_t stream) {
    static cudaStream_t side = nullptr;
    static cudaEvent_t forked = nullptr;
    static int sms = 0, shared = 0;
    if (!side) {
        cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
        cudaEventCreateWithFlags(&forked, cudaEventDisableTiming);
        cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
        cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
        cudaFuncSetAttribute(hog, cudaFuncAttributeMaxDynamicSharedMemorySize, shared);
    }
    cudaEventRecord(forked, stream);
    cudaStreamWaitEvent(side, forked, 0);
    hog<<<sms, 1024, shared, side>>>(a, b, out, n);
}
