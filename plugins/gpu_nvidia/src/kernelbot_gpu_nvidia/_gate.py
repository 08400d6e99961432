"""The gate: one page of host memory with two flags, which the judge maps and the worker's stream waits on.

``GO`` is written by the judge: the number of the call that may run. ``DONE`` is written by the worker's stream: the
number of the call that has run. Each has a cache line of its own. A worker that writes either itself gains nothing: it
runs on stale inputs, or hands over outputs that are not there yet.
"""

from __future__ import annotations

import ctypes
import mmap
import os

from cuda.bindings import driver as cuda

from kernelbot_core import sealed_memfd
from kernelbot_gpu_nvidia._driver import checked

PAGE = 4096
GO, DONE = 0, 16
"""Places of the flags, in 32-bit words."""
STREAM = 0
"""The legacy default stream: torch, Triton, cuBLAS through torch and raw launches are all ordered behind it."""


class JudgePage:
    """The judge's side: a page whose size is sealed."""

    def __init__(self) -> None:
        self.fd = sealed_memfd("kernelbot-gate", PAGE)
        self._map = mmap.mmap(self.fd, PAGE)
        self.flags = memoryview(self._map).cast("I")

    def close(self) -> None:
        """Unmap."""
        self.flags.release()
        self._map.close()
        os.close(self.fd)


class WorkerPage:
    """The worker's side: the same page, registered with the device. Needs a current context."""

    def __init__(self, fd: int) -> None:
        self._map = mmap.mmap(fd, PAGE)
        self._flags = memoryview(self._map).cast("I")
        self._address = ctypes.addressof(ctypes.c_char.from_buffer(self._map))
        flags = cuda.CU_MEMHOSTREGISTER_DEVICEMAP | cuda.CU_MEMHOSTREGISTER_PORTABLE
        checked(cuda.cuMemHostRegister(self._address, PAGE, flags))
        self._pointer = int(checked(cuda.cuMemHostGetDevicePointer(self._address, 0)))

    def enqueue_wait(self, number: int) -> None:
        """What is enqueued from now on runs once the judge has opened call ``number``."""
        at_least = cuda.CUstreamWaitValue_flags.CU_STREAM_WAIT_VALUE_GEQ
        checked(cuda.cuStreamWaitValue32(STREAM, self._pointer + 4 * GO, number, at_least))

    def enqueue_done(self, number: int) -> None:
        """When everything before it has run, tell the judge."""
        checked(cuda.cuStreamWriteValue32(STREAM, self._pointer + 4 * DONE, number, 0))

    def wait(self, number: int) -> None:
        """Wait on the host, spinning: sleeping would put a wake-up into the window."""
        while self._flags[GO] < number:
            pass

    def done(self, number: int) -> None:
        """Tell the judge from the host."""
        self._flags[DONE] = number

    def release(self, number: int) -> None:
        """Let the stream go on: nobody will open the gate of a call that was never queued."""
        self._flags[GO] = max(self._flags[GO], number)

    def close(self) -> None:
        """Unregister and unmap; a process that ends need not."""
        checked(cuda.cuMemHostUnregister(self._address))
        self._flags.release()
        self._map.close()
