"""What is generated of a problem's signature: header, macros of one dtype label."""

from __future__ import annotations

from collections.abc import Mapping

from kernelbot_core import DTYPES, Signature, c_prototype

_NOT_FINITE = "".join(
    f"""
#ifndef {name}
static __device__ constexpr float {name} = __builtin_bit_cast(float, {bits});
#endif
"""
    for name, bits in {"INFINITY": "0x7f800000", "NAN": "0x7fc00000"}.items()
)
"""Not macros: libcu++ defines such of its own under NVRTC, without looking whether there are any, and would warn."""
_HEADERS = {"__half": "cuda_fp16.h", "__nv_bfloat16": "cuda_bf16.h", "__nv_fp8_": "cuda_fp8.h"}


def macros(label: str, binding: Mapping[str, str]) -> list[str]:
    """``-DKB_fp16 -DKB_T=__half``: the label, and one macro for each dtype variable."""
    return [f"-DKB_{label}", *(f"-DKB_{variable}={DTYPES[dtype].c}" for variable, dtype in binding.items())]


def header(signature: Signature, binding: Mapping[str, str]) -> str:
    """``kernelbot.h`` for one dtype label; it is included before the first line of the submission."""
    includes = "\n".join(f"#include <{file}>" for file in ["cstdint", "cuda_runtime.h", *_needed(signature, binding)])
    return f"""#pragma once
{includes}

// What the judge calls. Tensors are contiguous, row-major, 256-byte aligned; the stream is the one that is timed.
{c_prototype(signature)};

// Read after each call, without waiting for the GPU: a launch that was refused would otherwise go unnoticed.
extern "C" __attribute__((weak, visibility("default"))) const char* kernelbot_last_error() {{
    const cudaError_t status = cudaGetLastError();
    return status == cudaSuccess ? nullptr : cudaGetErrorString(status);
}}
"""


def device_header(signature: Signature, binding: Mapping[str, str]) -> str:
    """``kernelbot.h`` for NVRTC, which has no host headers: integers, the types in use, what is not finite."""
    integers = {8: "char", 16: "short", 32: "int", 64: "long long"}  # as in libcu++, which says it again
    lines = [f"typedef signed {c} int{bits}_t;\ntypedef unsigned {c} uint{bits}_t;" for bits, c in integers.items()]
    return "\n".join([*lines, *(f"#include <{file}>" for file in _needed(signature, binding))]) + "\n" + _NOT_FINITE


def _needed(signature: Signature, binding: Mapping[str, str]) -> list[str]:
    types = [DTYPES[dtype].c for dtype in signature.dtypes(dict(binding))]
    return sorted({file for start, file in _HEADERS.items() if any(c.startswith(start) for c in types)})
