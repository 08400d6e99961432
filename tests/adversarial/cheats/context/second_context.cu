//!kernelbot language cuda
// tries: a context of its own, which synchronising the first one does not wait for; the first one does nothing
// problems: vector_add
// expect: wrong|not_attested|crashed
// device: gpu
// mode: benchmark
// naive: settle=0.1
#include <cuda.h>
#include <dlfcn.h>

__global__ void add_late(const KB_T *a, const KB_T *b, KB_T *out, int64_t n) {
    unsigned long long began, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(began));
    do asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now)); while (now - began < 200000);
    int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = a[i] + b[i];
}

template <class F> static F driver(const char *name) {
    static void *library = dlopen("libcuda.so.1", RTLD_NOW);
    return (F)dlsym(library, name);
}

extern "C" void solve(const KB_T *a, const KB_T *b, KB_T *out, int64_t n, cudaStream_t) {
    static CUcontext own = nullptr, popped = nullptr;
    static auto push = driver<CUresult (*)(CUcontext)>("cuCtxPushCurrent_v2");
    static auto pop = driver<CUresult (*)(CUcontext *)>("cuCtxPopCurrent_v2");
    if (!own) {
        driver<CUresult (*)(CUcontext *, unsigned, CUdevice)>("cuCtxCreate_v2")(&own, 0, 0);
        pop(&popped);
    }
    push(own);
    add_late<<<(unsigned)((n + 255) / 256), 256>>>(a, b, out, n);
    pop(&popped);
}
