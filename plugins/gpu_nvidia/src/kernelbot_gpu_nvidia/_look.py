"""A second look at the outputs, as soon as the worker has said that its call is done.

The judge's copies wait for a switch of contexts, and the device does not switch while the worker still has work: a
copy holds what was written late, too. A copy engine needs no context. It reads a sample a few microseconds after the
flag, and what it has read must be what the copy holds.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import NamedTuple

import torch
from cuda.bindings import driver as cuda

from kernelbot_gpu_nvidia._driver import checked
from kernelbot_gpu_nvidia._gate import DONE, Page

LINES, WIDTH = 64, 256
"""Stripes of an output that are looked at, and bytes of each: one copy of 16 KiB to the host."""
ALIGNED = 512
"""Distances between stripes are multiples of it, as the copy engine likes them."""


class Sample(NamedTuple):
    """Where one output is looked at: stripes at the same distance from each other, bytes."""

    start: int
    pitch: int
    width: int
    lines: int

    @property
    def size(self) -> int:
        """Bytes that are looked at."""
        return self.width * self.lines

    def of(self, flat: torch.Tensor) -> torch.Tensor:
        """The stripes of a flat uint8 tensor, (lines, width)."""
        return flat[self.start :].as_strided((self.lines, self.width), (self.pitch, 1))


def somewhere(nbytes: int) -> Sample:
    """Stripes all over ``nbytes``, which begin at a place that nobody can know before."""
    pitch, width, lines = nbytes // LINES // ALIGNED * ALIGNED, WIDTH, LINES
    if not pitch:
        pitch, width, lines = nbytes, min(nbytes, LINES * WIDTH), 1
    return Sample(random.randrange(nbytes - pitch * (lines - 1) - width + 1), pitch, width, lines)


class Look:
    """Looks at the outputs of one call at a time. Needs a current context."""

    def __init__(self) -> None:
        self._stream = torch.cuda.Stream()  # of its own: it must not wait behind the judge's
        self._seen: list[torch.Tensor] = []
        self._samples: list[Sample] = []

    def enqueue(self, page: Page, number: int, outputs: Sequence[torch.Tensor]) -> None:
        """Look at the given outputs (flat, uint8) when the worker's flag says that the call is done."""
        while len(self._seen) < len(outputs):
            self._seen.append(torch.empty(LINES * WIDTH, dtype=torch.uint8, pin_memory=True))
        self._samples = [somewhere(output.numel()) for output in outputs]
        page.enqueue_wait(DONE, number, self._stream.cuda_stream)
        for output, sample, seen in zip(outputs, self._samples, self._seen, strict=False):
            checked(cuda.cuMemcpy2DAsync(_to_host(output, sample, seen), self._stream.cuda_stream))

    def over(self) -> bool:
        """Whether the look has been taken."""
        return bool(self._stream.query())

    def agrees(self, copies: Sequence[torch.Tensor]) -> bool:
        """Whether the copies (flat, uint8), taken later, hold what was seen."""
        self._stream.synchronize()
        return all(
            torch.equal(sample.of(copy).cpu().reshape(-1), seen[: sample.size])
            for copy, sample, seen in zip(copies, self._samples, self._seen, strict=False)
        )


def _to_host(output: torch.Tensor, sample: Sample, seen: torch.Tensor) -> cuda.CUDA_MEMCPY2D:
    copy = cuda.CUDA_MEMCPY2D()
    copy.srcMemoryType = cuda.CUmemorytype.CU_MEMORYTYPE_DEVICE
    copy.srcDevice, copy.srcPitch = output.data_ptr() + sample.start, sample.pitch
    copy.dstMemoryType = cuda.CUmemorytype.CU_MEMORYTYPE_HOST
    copy.dstHost, copy.dstPitch = seen.data_ptr(), sample.width
    copy.WidthInBytes, copy.Height = sample.width, sample.lines
    return copy
