//!kernelbot language cuda
// tries: a second kernel that is launched while the first one runs
// problems: vector_add
// expect: passed
// device: gpu
__global__ void add(const KB_T *a, const KB_T *b, KB_T *out, int64_t from, int64_t to) {
    cudaGridDependencySynchronize();
    int64_t i = from + (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < to) out[i] = a[i] + b[i];
    cudaTriggerProgrammaticLaunchCompletion();
}

extern "C" void solve(const KB_T *a, const KB_T *b, KB_T *out, int64_t n, cudaStream_t stream) {
    int64_t half = n / 2;
    if (half) add<<<(unsigned)((half + 255) / 256), 256, 0, stream>>>(a, b, out, 0, half);
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3((unsigned)((n - half + 255) / 256));
    config.blockDim = dim3(256);
    config.stream = stream;
    config.attrs = &attribute;
    config.numAttrs = 1;
    cudaLaunchKernelEx(&config, add, a, b, out, half, n);
}
