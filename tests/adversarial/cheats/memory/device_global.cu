//!kernelbot language cuda
// tries: the first answer kept in memory of the device and copied out again while the addresses stay
// problems: vector_add
// expect: wrong
// device: gpu
// gain: forged
#include <map>

__global__ void add(const KB_T *a, const KB_T *b, KB_T *out, int64_t n) {
    int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = a[i] + b[i];
}

extern "C" void solve(const KB_T *a, const KB_T *b, KB_T *out, int64_t n, cudaStream_t stream) {
    static std::map<std::pair<const void *, int64_t>, KB_T *> kept;
    KB_T *&answer = kept[{a, n}];
    if (!answer) {
        cudaMalloc(&answer, n * sizeof(KB_T));
        add<<<(unsigned)((n + 255) / 256), 256, 0, stream>>>(a, b, answer, n);
    }
    cudaMemcpyAsync(out, answer, n * sizeof(KB_T), cudaMemcpyDeviceToDevice, stream);
}
