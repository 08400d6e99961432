"""The signature of a problem in C: prototype, generated header, macros of one dtype label."""

from __future__ import annotations

from collections.abc import Mapping

from kernelbot_core import DTYPES, Signature

_HEADERS = {"__half": "cuda_fp16.h", "__nv_bfloat16": "cuda_bf16.h", "__nv_fp8_": "cuda_fp8.h"}
_SCALARS = {"int32": "int32_t", "int64": "int64_t", "fp32": "float", "fp64": "double"}


def c_type(dtype: str) -> str:
    """C type of a tensor's elements: of the dtype, or the macro of a dtype variable."""
    return DTYPES[dtype].c if dtype in DTYPES else f"KB_{dtype}"


def parameters(signature: Signature) -> list[str]:
    """``const KB_T* a`` ... in the order of the call, the stream last."""
    inputs = [f"const {c_type(tensor.dtype)}* {tensor.name}" for tensor in signature.inputs]
    outputs = [f"{c_type(tensor.dtype)}* {tensor.name}" for tensor in signature.outputs]
    scalars = [f"{_SCALARS[scalar.dtype]} {scalar.name}" for scalar in signature.scalars]
    return [*inputs, *outputs, *scalars, "cudaStream_t stream"]


def prototype(signature: Signature) -> str:
    """``extern "C" void solve(...)``, without the semicolon."""
    return f'extern "C" void solve({", ".join(parameters(signature))})'


def macros(label: str, binding: Mapping[str, str]) -> list[str]:
    """``-DKB_fp16 -DKB_T=__half``: the label, and one macro for each dtype variable."""
    return [f"-DKB_{label}", *(f"-DKB_{variable}={DTYPES[dtype].c}" for variable, dtype in binding.items())]


def header(signature: Signature, binding: Mapping[str, str]) -> str:
    """``kernelbot.h`` for one dtype label; it is included before the first line of the submission."""
    types = [DTYPES[dtype].c for dtype in signature.dtypes(dict(binding))]
    needed = sorted({file for start, file in _HEADERS.items() if any(c.startswith(start) for c in types)})
    includes = "\n".join(f"#include <{file}>" for file in ["cstdint", "cuda_runtime.h", *needed])
    return f"""#pragma once
{includes}

// What the judge calls. Tensors are contiguous, row-major, 256-byte aligned; the stream is the one that is timed.
{prototype(signature)};

// Read after each call, without waiting for the GPU: a launch that was refused would otherwise go unnoticed.
extern "C" __attribute__((weak, visibility("default"))) const char* kernelbot_last_error() {{
    const cudaError_t status = cudaGetLastError();
    return status == cudaSuccess ? nullptr : cudaGetErrorString(status);
}}
"""
