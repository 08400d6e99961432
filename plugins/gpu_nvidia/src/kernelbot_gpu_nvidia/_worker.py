"""The worker's half: everything on the legacy default stream, behind a wait that the judge's flag ends."""

from __future__ import annotations

import ctypes
import mmap
from collections.abc import Callable, Sequence
from typing import Any

import torch
from cuda.bindings import driver as cuda

from kernelbot_core import DTYPES, SharedBuffer, WorkerDevice
from kernelbot_gpu_nvidia._memory import Mapping, checked, ordinal

PAGE = 4096
GO, DONE = 0, 16
STREAM = 0
"""The legacy default stream: torch, Triton, cuBLAS through torch and raw launches are all ordered behind it."""


class NvidiaWorker(WorkerDevice):
    """Queues calls behind the gate and times them by events."""

    def __init__(self, index: int, control_fd: int) -> None:
        self._device = ordinal(index)
        torch.cuda.set_device(self._device)
        torch.zeros(1, device=f"cuda:{self._device}")  # the context and torch's first kernel, before anything is gated
        self._page = mmap.mmap(control_fd, PAGE)
        self._flags = memoryview(self._page).cast("I")
        address = ctypes.addressof(ctypes.c_char.from_buffer(self._page))
        flags = cuda.CU_MEMHOSTREGISTER_DEVICEMAP | cuda.CU_MEMHOSTREGISTER_PORTABLE
        checked(cuda.cuMemHostRegister(address, PAGE, flags))
        self._pointer = int(checked(cuda.cuMemHostGetDevicePointer(address, 0)))
        self._start = torch.cuda.Event(enable_timing=True)
        self._end = torch.cuda.Event(enable_timing=True)
        self._mappings: list[Mapping] = []

    def map(self, fd: int, nbytes: int, dtype: str, shape: Sequence[int], *, writable: bool) -> Any:
        mapping = Mapping.open(fd, nbytes + SharedBuffer.TAIL, self._device, writable=writable)
        self._mappings.append(mapping)
        return mapping.bytes(nbytes).view(getattr(torch, DTYPES[dtype].torch)).view(*shape)

    def unmap(self, tensors: Sequence[Any]) -> None:
        torch.cuda.synchronize()
        addresses = {tensor.untyped_storage().data_ptr() for tensor in tensors}
        for mapping in [m for m in self._mappings if m.pointer in addresses]:
            mapping.close()
            self._mappings.remove(mapping)

    def run(
        self,
        call: Callable[[], object],
        *,
        number: int,
        gate_open: bool,
        host_gate: bool,
        queued: Callable[[], None],
        wait_go: Callable[[], None],  # noqa: ARG002 - the gate is a flag in memory here
    ) -> float:
        if host_gate and not gate_open:
            queued()
            while self._flags[GO] < number:
                pass
        elif not gate_open:
            wait = cuda.CUstreamWaitValue_flags.CU_STREAM_WAIT_VALUE_GEQ
            checked(cuda.cuStreamWaitValue32(STREAM, self._pointer + 4 * GO, number, wait))
        try:
            self._start.record()
            call()
            self._end.record()
        except BaseException:
            self._flags[GO] = number  # nobody will open the gate of a call that was never queued
            raise
        checked(cuda.cuStreamWriteValue32(STREAM, self._pointer + 4 * DONE, number, 0))
        if not gate_open and not host_gate:
            queued()
        torch.cuda.synchronize()
        return max(float(self._start.elapsed_time(self._end)) * 1e-3, 1e-9)

    def null(self) -> Callable[[], object]:
        return lambda: None
