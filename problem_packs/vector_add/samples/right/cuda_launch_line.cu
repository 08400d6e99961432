//!kernelbot language cuda
//!kernelbot launch add<<<cdiv(n, 256), 256>>>(a, b, out, n)
__global__ void add(const KB_T* a, const KB_T* b, KB_T* out, int64_t n) {
    const int64_t i = blockIdx.x * int64_t{blockDim.x} + threadIdx.x;
    if (i < n) out[i] = a[i] + b[i];
}
