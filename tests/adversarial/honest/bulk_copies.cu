//!kernelbot language cuda
// tries: bulk copies into shared memory behind a barrier: Hopper and later
// problems: vector_add
// expect: passed
// device: gpu
#include <cstdint>

constexpr int TILE = 2048;

__global__ void __launch_bounds__(256) add(const KB_T *a, const KB_T *b, KB_T *out, int64_t n) {
    __shared__ alignas(128) KB_T left[TILE], right[TILE];
    __shared__ alignas(8) uint64_t barrier;
    int64_t start = (int64_t)blockIdx.x * TILE;
    if (start + TILE > n) {  // the last tile is not whole
        for (int64_t i = start + threadIdx.x; i < n; i += blockDim.x) out[i] = a[i] + b[i];
        return;
    }
    uint32_t bar = (uint32_t)__cvta_generic_to_shared(&barrier), bytes = TILE * sizeof(KB_T);
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(bar));
        asm volatile("fence.mbarrier_init.release.cluster;");
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        uint32_t l = (uint32_t)__cvta_generic_to_shared(left), r = (uint32_t)__cvta_generic_to_shared(right);
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(bar), "r"(2 * bytes) : "memory");
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(l),
                     "l"(a + start), "r"(bytes), "r"(bar)
                     : "memory");
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(r),
                     "l"(b + start), "r"(bytes), "r"(bar)
                     : "memory");
    }
    uint32_t done = 0;
    while (!done)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                     : "=r"(done)
                     : "r"(bar)
                     : "memory");
    for (int i = threadIdx.x; i < TILE; i += blockDim.x) out[start + i] = left[i] + right[i];
}

extern "C" void solve(const KB_T *a, const KB_T *b, KB_T *out, int64_t n, cudaStream_t stream) {
    add<<<(unsigned)((n + TILE - 1) / TILE), 256, 0, stream>>>(a, b, out, n);
}
