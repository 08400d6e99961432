"""The gate: one page of host memory with two flags, which streams of judge and worker write and wait on.

``GO`` is written by the judge's stream: the number of the call that may run. ``DONE`` is written by the worker's: the
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


class Page:
    """One side's view of the page, registered with the device. Needs a current context."""

    def __init__(self, fd: int) -> None:
        self._map = mmap.mmap(fd, PAGE)
        self.flags = memoryview(self._map).cast("I")
        self._address = ctypes.addressof(ctypes.c_char.from_buffer(self._map))
        flags = cuda.CU_MEMHOSTREGISTER_DEVICEMAP | cuda.CU_MEMHOSTREGISTER_PORTABLE
        checked(cuda.cuMemHostRegister(self._address, PAGE, flags))
        self._pointer = int(checked(cuda.cuMemHostGetDevicePointer(self._address, 0)))

    def enqueue_wait(self, flag: int, number: int, stream: int = STREAM) -> None:
        """What is enqueued from now on runs once the flag has reached ``number``."""
        at_least = cuda.CUstreamWaitValue_flags.CU_STREAM_WAIT_VALUE_GEQ
        checked(cuda.cuStreamWaitValue32(stream, self._pointer + 4 * flag, number, at_least))

    def enqueue_write(self, flag: int, number: int, stream: int = STREAM) -> None:
        """When everything before it has run, and what it wrote can be seen, set the flag."""
        checked(cuda.cuStreamWriteValue32(stream, self._pointer + 4 * flag, number, 0))

    def close(self) -> None:
        """Unregister and unmap; a process that ends need not."""
        checked(cuda.cuMemHostUnregister(self._address))
        self.flags.release()
        self._map.close()


class JudgePage(Page):
    """The judge's side, which makes the page; its size is sealed."""

    def __init__(self) -> None:
        self.fd = sealed_memfd("kernelbot-gate", PAGE)
        super().__init__(self.fd)

    def let_go(self, flag: int, number: int, stream: int) -> None:
        """Let the judge's stream go on that waits for what will never come, whatever the worker has done to the page.

        The flag is set and not raised: to the device, which compares differences as signed numbers, one that is very
        high lies behind. By the device too, on another stream: a worker can punch the page out of its file, after
        which the host writes to a new one.
        """
        self.flags[flag] = number
        checked(cuda.cuStreamWriteValue32(stream, self._pointer + 4 * flag, number, 0))

    def close(self) -> None:
        super().close()
        os.close(self.fd)


class WorkerPage(Page):
    """The worker's side."""

    def wait(self, number: int) -> None:
        """Wait on the host, spinning: sleeping would put a wake-up into the window."""
        while self.flags[GO] < number:
            pass

    def release(self, flag: int, number: int) -> None:
        """Let a stream go on that waits for what will never come."""
        self.flags[flag] = max(self.flags[flag], number)

    def done(self, number: int) -> None:
        """Tell the judge from the host."""
        self.flags[DONE] = number
