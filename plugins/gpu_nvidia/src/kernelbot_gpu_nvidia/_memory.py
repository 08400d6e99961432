"""Device memory that two processes share: CUDA's virtual memory management, one allocation per buffer."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import torch
from cuda.bindings import driver as cuda

from kernelbot_gpu_nvidia._driver import checked

_FD = cuda.CUmemAllocationHandleType.CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR


def rounded(nbytes: int, device: int) -> int:
    """Bytes of the allocation that holds ``nbytes``: whole pages of the device."""
    flag = cuda.CUmemAllocationGranularity_flags.CU_MEM_ALLOC_GRANULARITY_RECOMMENDED
    page = int(checked(cuda.cuMemGetAllocationGranularity(_properties(device), flag)))
    return -(-nbytes // page) * page


class Mapping:
    """One allocation, mapped into this process; the memory lives as long as some process maps it or has its descriptor.

    :param handle: Of the allocation; may be released afterwards.
    :param size: Bytes, a multiple of the device's page.
    :raises CudaError: Nothing is left mapped.
    """

    def __init__(self, handle: Any, size: int, device: int, *, writable: bool) -> None:
        self.size, self.device = size, device
        with contextlib.ExitStack() as undo:
            self.pointer = int(checked(cuda.cuMemAddressReserve(size, 0, 0, 0)))
            undo.callback(_later(cuda.cuMemAddressFree, self.pointer, size))
            checked(cuda.cuMemMap(self.pointer, size, 0, handle, 0))
            undo.callback(_later(cuda.cuMemUnmap, self.pointer, size))
            checked(cuda.cuMemSetAccess(self.pointer, size, [_access(device, writable=writable)], 1))
            self._undo = undo.pop_all()

    @classmethod
    def create(cls, nbytes: int, device: int) -> tuple[Mapping, int]:
        """Allocate; returns the mapping and the descriptor that another process imports."""
        size = rounded(nbytes, device)
        handle = checked(cuda.cuMemCreate(size, _properties(device), 0))
        try:
            mapping = cls(handle, size, device, writable=True)
            with contextlib.ExitStack() as undo:
                undo.callback(mapping.close)
                fd = int(checked(cuda.cuMemExportToShareableHandle(handle, _FD, 0)))
                undo.pop_all()
            return mapping, fd
        finally:
            checked(cuda.cuMemRelease(handle))

    @classmethod
    def open(cls, fd: int, nbytes: int, device: int, *, writable: bool) -> Mapping:
        """Import what another process has allocated. The importer chooses the protection: a courtesy, no wall."""
        handle = checked(cuda.cuMemImportFromShareableHandle(fd, _FD))
        try:
            return cls(handle, rounded(nbytes, device), device, writable=writable)
        finally:
            checked(cuda.cuMemRelease(handle))

    def bytes(self, count: int) -> torch.Tensor:
        """The first ``count`` bytes as a uint8 tensor, without a copy; not to be used after :meth:`close`."""
        if count == 0:
            return torch.empty(0, dtype=torch.uint8, device=f"cuda:{self.device}")
        return torch.as_tensor(_Array(self.pointer, count), device=f"cuda:{self.device}")

    def close(self) -> None:
        """Unmap; doing it twice changes nothing."""
        self._undo.close()


class _Array:
    """What torch.as_tensor understands."""

    def __init__(self, pointer: int, count: int) -> None:
        self.__cuda_array_interface__ = {
            "shape": (count,), "typestr": "|u1", "data": (pointer, False), "version": 3, "strides": None,
        }  # fmt: skip


def _later(call: Callable[..., tuple[Any, ...]], *arguments: Any) -> Callable[[], None]:
    def run() -> None:
        checked(call(*arguments))

    return run


def _properties(device: int) -> Any:
    properties = cuda.CUmemAllocationProp()
    properties.type = cuda.CUmemAllocationType.CU_MEM_ALLOCATION_TYPE_PINNED
    properties.location.type = cuda.CUmemLocationType.CU_MEM_LOCATION_TYPE_DEVICE
    properties.location.id = device
    properties.requestedHandleTypes = _FD
    return properties


def _access(device: int, *, writable: bool) -> Any:
    flags = cuda.CUmemAccess_flags
    access = cuda.CUmemAccessDesc()
    access.location.type = cuda.CUmemLocationType.CU_MEM_LOCATION_TYPE_DEVICE
    access.location.id = device
    access.flags = flags.CU_MEM_ACCESS_FLAGS_PROT_READWRITE if writable else flags.CU_MEM_ACCESS_FLAGS_PROT_READ
    return access
