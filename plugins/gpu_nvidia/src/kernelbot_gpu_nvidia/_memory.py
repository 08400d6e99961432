"""Device memory that two processes share: CUDA's virtual memory management, one allocation per buffer."""

from __future__ import annotations

import os
from typing import Any

import torch
from cuda.bindings import driver as cuda


def checked(result: tuple[Any, ...]) -> Any:
    """Value of a driver call. Raises RuntimeError with the driver's own name of the error."""
    status, *values = result
    if status != cuda.CUresult.CUDA_SUCCESS:
        raise RuntimeError(f"CUDA driver: {cuda.cuGetErrorName(status)[1].decode()}")
    return values[0] if len(values) == 1 else tuple(values)


def ordinal(index: int) -> int:
    """Ordinal in this process: the runner shows it one device only."""
    return 0 if os.environ.get("CUDA_VISIBLE_DEVICES") else index


def _properties(device: int) -> Any:
    properties = cuda.CUmemAllocationProp()
    properties.type = cuda.CUmemAllocationType.CU_MEM_ALLOCATION_TYPE_PINNED
    properties.location.type = cuda.CUmemLocationType.CU_MEM_LOCATION_TYPE_DEVICE
    properties.location.id = device
    properties.requestedHandleTypes = cuda.CUmemAllocationHandleType.CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR
    return properties


def rounded(nbytes: int, device: int) -> int:
    """Bytes of the allocation that holds ``nbytes``."""
    flag = cuda.CUmemAllocationGranularity_flags.CU_MEM_ALLOC_GRANULARITY_RECOMMENDED
    granule = int(checked(cuda.cuMemGetAllocationGranularity(_properties(device), flag)))
    return -(-nbytes // granule) * granule


class Mapping:
    """One allocation mapped into this process."""

    def __init__(self, handle: Any, size: int, device: int, *, writable: bool) -> None:
        self.handle, self.size, self.device = handle, size, device
        self.pointer = int(checked(cuda.cuMemAddressReserve(size, 0, 0, 0)))
        checked(cuda.cuMemMap(self.pointer, size, 0, handle, 0))
        access, flags = cuda.CUmemAccessDesc(), cuda.CUmemAccess_flags
        access.location.type = cuda.CUmemLocationType.CU_MEM_LOCATION_TYPE_DEVICE
        access.location.id = device
        access.flags = flags.CU_MEM_ACCESS_FLAGS_PROT_READWRITE if writable else flags.CU_MEM_ACCESS_FLAGS_PROT_READ
        checked(cuda.cuMemSetAccess(self.pointer, size, [access], 1))

    @classmethod
    def create(cls, nbytes: int, device: int) -> tuple[Mapping, int]:
        """Allocate; returns the mapping and the descriptor that another process imports."""
        size = rounded(nbytes, device)
        handle = checked(cuda.cuMemCreate(size, _properties(device), 0))
        kind = cuda.CUmemAllocationHandleType.CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR
        fd = int(checked(cuda.cuMemExportToShareableHandle(handle, kind, 0)))
        return cls(handle, size, device, writable=True), fd

    @classmethod
    def open(cls, fd: int, nbytes: int, device: int, *, writable: bool) -> Mapping:
        """Import what another process has allocated."""
        kind = cuda.CUmemAllocationHandleType.CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR
        handle = checked(cuda.cuMemImportFromShareableHandle(fd, kind))
        return cls(handle, rounded(nbytes, device), device, writable=writable)

    def bytes(self, count: int) -> torch.Tensor:
        """The first ``count`` bytes as a uint8 tensor, without a copy."""
        if count == 0:
            return torch.empty(0, dtype=torch.uint8, device=f"cuda:{self.device}")
        return torch.as_tensor(_Array(self.pointer, count), device=f"cuda:{self.device}")

    def close(self) -> None:
        """Unmap and release."""
        checked(cuda.cuMemUnmap(self.pointer, self.size))
        checked(cuda.cuMemAddressFree(self.pointer, self.size))
        checked(cuda.cuMemRelease(self.handle))


class _Array:
    """What torch.as_tensor understands."""

    def __init__(self, pointer: int, count: int) -> None:
        self.__cuda_array_interface__ = {
            "shape": (count,), "typestr": "|u1", "data": (pointer, False), "version": 3, "strides": None,
        }  # fmt: skip
