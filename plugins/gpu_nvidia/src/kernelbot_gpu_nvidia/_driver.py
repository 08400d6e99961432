"""The few calls of the CUDA driver that torch does not offer, with their errors as exceptions."""

from __future__ import annotations

import os
from typing import Any

import torch
from cuda.bindings import driver as cuda

from kernelbot_core import InfrastructureError

READ_ONLY = "out of bounds, or a write to an input: inputs are read-only"


class CudaError(RuntimeError):
    """The driver or a kernel failed; one line, which starts with ``CUDA``."""


def checked(result: tuple[Any, ...]) -> Any:
    """Value of a driver call. Raises CudaError with the driver's own words."""
    status, *values = result
    if status != cuda.CUresult.CUDA_SUCCESS:
        raise CudaError(f"CUDA driver: {_text(cuda.cuGetErrorString(status))} ({_text(cuda.cuGetErrorName(status))})")
    return values[0] if len(values) == 1 else tuple(values)


def ordinal(index: int) -> int:
    """Number of a device in this process, which may have been shown only that one.

    :param index: As the controller counts, which is in the order of the bus.
    """
    if len([word for word in os.environ.get("CUDA_VISIBLE_DEVICES", "").split(",") if word.strip()]) == 1:
        return 0
    if not torch.cuda.is_initialized():  # CUDA's own default puts the fastest first
        os.environ.setdefault("CUDA_DEVICE_ORDER", "PCI_BUS_ID")
    return index


def explained(exc: BaseException) -> BaseException:
    """The same error in one line that helps, where a kernel has failed; otherwise the error itself.

    torch appends four lines of general advice, of which a report would show the last.
    """
    if not isinstance(exc, RuntimeError) or isinstance(exc, torch.OutOfMemoryError):
        return exc
    lines = str(exc).strip().splitlines() or [""]
    if not any(sign in lines[0] for sign in ("CUDA", "cudaError", "CUDA_ERROR")):
        return exc
    line = lines[0].rstrip(".")
    if "illegal memory access" in line or "CUDA_ERROR_ILLEGAL_ADDRESS" in line:
        line += f" ({READ_ONLY})"
    elif "device-side assert" in line:
        line += " (the failed assertion is in the output)"
    return RuntimeError(line if line.startswith("CUDA") else f"CUDA: {line}").with_traceback(exc.__traceback__)


def require(device: int) -> None:
    """Refuse a device on which the gate or shared buffers cannot work.

    The gate is tried, not asked for: the attribute of that name is about an older interface that is off by default.

    :raises InfrastructureError: Says which of the two is missing.
    """
    attribute = cuda.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED
    if not checked(cuda.cuDeviceGetAttribute(attribute, checked(cuda.cuDeviceGet(device)))):
        raise InfrastructureError("this GPU cannot share memory by file descriptor", "Linux on bare metal or a VM can")
    word = torch.zeros(1, dtype=torch.int32, device=f"cuda:{device}")
    try:
        equal = cuda.CUstreamWaitValue_flags.CU_STREAM_WAIT_VALUE_EQ
        checked(cuda.cuStreamWriteValue32(0, word.data_ptr(), 1, 0))
        checked(cuda.cuStreamWaitValue32(0, word.data_ptr(), 1, equal))
    except CudaError as exc:
        raise InfrastructureError(f"this GPU has no stream memory operations: {exc}", "update the driver") from None
    if int(word) != 1:
        raise InfrastructureError("stream memory operations do not work on this GPU", "update the driver")


def spin_on_waits(device: int) -> None:
    """Make this process spin while it waits for the device: being woken up takes longer than most calls."""
    _schedule(device, cuda.CUctx_flags.CU_CTX_SCHED_SPIN)


def sleep_on_waits(device: int) -> None:
    """Make this process sleep while it waits: spinning would slow the judge down where processors share a core."""
    _schedule(device, cuda.CUctx_flags.CU_CTX_SCHED_BLOCKING_SYNC)


def _schedule(device: int, flag: Any) -> None:
    checked(cuda.cuInit(0))
    checked(cuda.cuDevicePrimaryCtxSetFlags(checked(cuda.cuDeviceGet(device)), flag))


def driver_version() -> str:
    """CUDA version of the driver: ``13.0``."""
    version = int(checked(cuda.cuDriverGetVersion()))
    return f"{version // 1000}.{version % 1000 // 10}"


def _text(result: tuple[Any, ...]) -> str:
    value = result[1] if len(result) > 1 else None
    return value.decode() if isinstance(value, bytes) else str(value)
