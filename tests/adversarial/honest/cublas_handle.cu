//!kernelbot language cuda
// tries: a cuBLAS handle and its workspace, made in the first call
// problems: matmul
// expect: passed
// device: gpu
//!kernelbot dtypes fp32
#include <cublas_v2.h>

extern "C" void solve(const KB_T *a, const KB_T *b, KB_O *c, int64_t m, int64_t n, int64_t k, cudaStream_t stream) {
    static cublasHandle_t handle = nullptr;
    static void *workspace = nullptr;
    if (!handle) {
        cublasCreate(&handle);
        cudaMalloc(&workspace, 32 << 20);
        cublasSetWorkspace(handle, workspace, 32 << 20);
    }
    cublasSetStream(handle, stream);
    const float one = 1.0f, zero = 0.0f;  // row-major c = a b is column-major c' = b' a'
    cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, (int)n, (int)m, (int)k, &one, (const float *)b, (int)n,
                (const float *)a, (int)k, &zero, (float *)c, (int)n);
}
