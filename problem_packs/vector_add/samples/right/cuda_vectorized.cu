//!kernelbot language cuda
// 16 bytes for each thread and step; what is left over is added one by one. Tensors are aligned to 256 bytes.
constexpr int WIDTH = 16 / sizeof(KB_T);

struct alignas(16) Pack {
    KB_T values[WIDTH];
};

__global__ void add(const KB_T* a, const KB_T* b, KB_T* out, int64_t n) {
    const int64_t first = blockIdx.x * int64_t{blockDim.x} + threadIdx.x;
    const int64_t stride = int64_t{gridDim.x} * blockDim.x;
    const int64_t packs = n / WIDTH;
    for (int64_t i = first; i < packs; i += stride) {
        const Pack left = reinterpret_cast<const Pack*>(a)[i];
        const Pack right = reinterpret_cast<const Pack*>(b)[i];
        Pack sum;
#pragma unroll
        for (int j = 0; j < WIDTH; ++j) sum.values[j] = left.values[j] + right.values[j];
        reinterpret_cast<Pack*>(out)[i] = sum;
    }
    for (int64_t i = packs * WIDTH + first; i < n; i += stride) out[i] = a[i] + b[i];
}

extern "C" void solve(const KB_T* a, const KB_T* b, KB_T* out, int64_t n, cudaStream_t stream) {
    const int threads = 256;
    const int64_t blocks = (n / WIDTH + threads) / threads;
    add<<<static_cast<int>(blocks < 65535 ? blocks : 65535), threads, 0, stream>>>(a, b, out, n);
}
