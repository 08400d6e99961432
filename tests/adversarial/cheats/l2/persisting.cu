//!kernelbot language cuda
// tries: a part of the second-level cache set aside for its inputs, so that a flush leaves them there
// problems: vector_add
// expect: no_gain|not_attested
// device: gpu
// mode: benchmark
// naive: none
__global__ void add(const KB_T *a, const KB_T *b, KB_T *out, int64_t n) {
    int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = a[i] + b[i];
}

static void keep(cudaStream_t stream, const void *address, size_t bytes) {
    cudaStreamAttrValue value = {};
    value.accessPolicyWindow.base_ptr = const_cast<void *>(address);
    value.accessPolicyWindow.num_bytes = bytes;
    value.accessPolicyWindow.hitRatio = 1.0f;
    value.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
    value.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
    cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value);
}

extern "C" void solve(const KB_T *a, const KB_T *b, KB_T *out, int64_t n, cudaStream_t stream) {
    static cudaStream_t own = nullptr;
    static cudaEvent_t before = nullptr, after = nullptr;
    if (!own) {
        cudaDeviceProp properties;
        cudaGetDeviceProperties(&properties, 0);
        cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, properties.persistingL2CacheMaxSize);
        cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
        cudaEventCreateWithFlags(&before, cudaEventDisableTiming);
        cudaEventCreateWithFlags(&after, cudaEventDisableTiming);
    }
    keep(own, a, n * sizeof(KB_T));
    cudaEventRecord(before, stream);
    cudaStreamWaitEvent(own, before, 0);
    add<<<(unsigned)((n + 255) / 256), 256, 0, own>>>(a, b, out, n);
    cudaEventRecord(after, own);
    cudaStreamWaitEvent(stream, after, 0);
}
