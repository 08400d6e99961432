//!kernelbot language cuda
// 32 x 32 tiles in shared memory, four rows per thread, accumulated in fp32.
constexpr int TILE = 32, ROWS = 4;

__global__ void matmul(const KB_T *a, const KB_T *b, KB_O *c, int64_t m, int64_t n, int64_t k) {
    __shared__ float left[TILE][TILE], right[TILE][TILE];
    int64_t col = blockIdx.x * TILE + threadIdx.x, top = (int64_t)blockIdx.y * TILE;
    float total[ROWS] = {};
    for (int64_t start = 0; start < k; start += TILE) {
        for (int r = threadIdx.y; r < TILE; r += TILE / ROWS) {
            int64_t i = top + r, j = start + threadIdx.x;
            left[r][threadIdx.x] = i < m && j < k ? (float)a[i * k + j] : 0.0f;
            right[r][threadIdx.x] = start + r < k && col < n ? (float)b[(start + r) * n + col] : 0.0f;
        }
        __syncthreads();
        for (int j = 0; j < TILE; j++)
            for (int r = 0; r < ROWS; r++) total[r] += left[threadIdx.y + r * (TILE / ROWS)][j] * right[j][threadIdx.x];
        __syncthreads();
    }
    for (int r = 0; r < ROWS; r++) {
        int64_t row = top + threadIdx.y + r * (TILE / ROWS);
        if (row < m && col < n) c[row * n + col] = (KB_O)total[r];
    }
}

extern "C" void solve(const KB_T *a, const KB_T *b, KB_O *c, int64_t m, int64_t n, int64_t k, cudaStream_t stream) {
    dim3 grid((unsigned)((n + TILE - 1) / TILE), (unsigned)((m + TILE - 1) / TILE)), block(TILE, TILE / ROWS);
    matmul<<<grid, block, 0, stream>>>(a, b, c, m, n, k);
}
