//!kernelbot language cuda
// tries: a kernel that watches the end of its inputs and computes as soon as they change; the timed window is empty
// problems: vector_add
// expect: wrong|not_attested
// device: gpu
// mode: benchmark
// naive: none
__global__ void nothing() {}

__global__ void watch(const KB_T *a, const KB_T *b, KB_T *out, int64_t n, unsigned long long ns) {
    const volatile unsigned char *last = (const volatile unsigned char *)(b + n) - sizeof(KB_T);
    unsigned char seen[sizeof(KB_T)];
    for (int i = 0; i < (int)sizeof(KB_T); i++) seen[i] = last[i];
    unsigned long long began, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(began));
    bool changed = false;
    do {
        for (int i = 0; i < (int)sizeof(KB_T); i++) changed |= last[i] != seen[i];
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    } while (!changed && now - began < ns);
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (int64_t)gridDim.x * blockDim.x)
        out[i] = a[i] + b[i];
}

extern "C" void solve(const KB_T *a, const KB_T *b, KB_T *out, int64_t n, cudaStream_t stream) {
    static cudaStream_t side = nullptr;
    if (!side) cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
    watch<<<128, 256, 0, side>>>(a, b, out, n, 5000000);  // gives up after 5 ms: the device must stay usable
    nothing<<<1, 1, 0, stream>>>();
}
