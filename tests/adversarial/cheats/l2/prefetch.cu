//!kernelbot language cuda
// tries: a kernel on a side stream that reads the inputs again and again until the gate has opened: a warm cache
// problems: vector_add
// expect: no_gain|not_attested|wrong
// device: gpu
// mode: benchmark
// naive: none
__global__ void add(const KB_T *a, const KB_T *b, KB_T *out, int64_t n) {
    int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = a[i] + b[i];
}

__global__ void touch(const KB_T *a, const KB_T *b, int64_t n, unsigned long long ns) {
    unsigned long long began, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(began));
    do {
        for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (int64_t)gridDim.x * blockDim.x) {
            asm volatile("prefetch.global.L2 [%0];" ::"l"(a + i));
            asm volatile("prefetch.global.L2 [%0];" ::"l"(b + i));
        }
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    } while (now - began < ns);
}

extern "C" void solve(const KB_T *a, const KB_T *b, KB_T *out, int64_t n, cudaStream_t stream) {
    static cudaStream_t side = nullptr;
    if (!side) cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
    touch<<<64, 256, 0, side>>>(a, b, n, 3000000);
    add<<<(unsigned)((n + 255) / 256), 256, 0, stream>>>(a, b, out, n);
}
