//!kernelbot language cuda
// One tile of 16 x 16 outputs for each block, accumulated in fp32.
constexpr int TILE = 16;

__global__ void kernel(const KB_T* a, const KB_T* b, KB_O* c, int64_t m, int64_t n, int64_t k) {
    __shared__ float tile_a[TILE][TILE];
    __shared__ float tile_b[TILE][TILE + 1];
    const int64_t row = int64_t{blockIdx.y} * TILE + threadIdx.y;
    const int64_t col = int64_t{blockIdx.x} * TILE + threadIdx.x;
    float total = 0.0f;
    for (int64_t start = 0; start < k; start += TILE) {
        const int64_t at_a = start + threadIdx.x;
        const int64_t at_b = start + threadIdx.y;
        tile_a[threadIdx.y][threadIdx.x] = row < m && at_a < k ? static_cast<float>(a[row * k + at_a]) : 0.0f;
        tile_b[threadIdx.y][threadIdx.x] = at_b < k && col < n ? static_cast<float>(b[at_b * n + col]) : 0.0f;
        __syncthreads();
        for (int i = 0; i < TILE; ++i) total = fmaf(tile_a[threadIdx.y][i], tile_b[i][threadIdx.x], total);
        __syncthreads();
    }
    if (row < m && col < n) c[row * n + col] = static_cast<KB_O>(total);
}

extern "C" void solve(const KB_T* a, const KB_T* b, KB_O* c, int64_t m, int64_t n, int64_t k, cudaStream_t stream) {
    const dim3 blocks(static_cast<unsigned>((n + TILE - 1) / TILE), static_cast<unsigned>((m + TILE - 1) / TILE));
    kernel<<<blocks, dim3(TILE, TILE), 0, stream>>>(a, b, c, m, n, k);
}
