//!kernelbot language cuda
//!kernelbot launch multiply<KB_T, 16><<<(cdiv(n, 16), cdiv(m, 16)), (16, 16), 2 * 16 * 16 * 4>>>(a, b, c, m, n, k)

// One tile of c for each block; the tiles of a and b lie in dynamic shared memory, as floats.
template <class T, int S>
__global__ void multiply(const T* a, const T* b, T* c, int m, int n, int k) {
    extern __shared__ float tiles[];
    float *left = tiles, *right = tiles + S * S;
    const int x = threadIdx.x, y = threadIdx.y;
    const int64_t row = blockIdx.y * S + y, column = blockIdx.x * S + x;
    float sum = 0.0f;
    for (int start = 0; start < k; start += S) {
        left[y * S + x] = row < m && start + x < k ? float(a[row * k + start + x]) : 0.0f;
        right[y * S + x] = start + y < k && column < n ? float(b[int64_t(start + y) * n + column]) : 0.0f;
        __syncthreads();
        for (int i = 0; i < S; ++i) sum += left[y * S + i] * right[i * S + x];
        __syncthreads();
    }
    if (row < m && column < n) c[row * n + column] = T(sum);
}
