"""Shared buffers of one worker for one cell."""

from __future__ import annotations

from kernelbot_core.interfaces.device import JudgeDevice, SharedBuffer
from kernelbot_core.model.problem import Signature

ONE_SET_ABOVE = 32 << 20


class BufferSet:
    """Inputs and outputs of one call."""

    def __init__(self, inputs: list[SharedBuffer], outputs: list[SharedBuffer]) -> None:
        self.inputs, self.outputs = inputs, outputs

    @property
    def all(self) -> list[SharedBuffer]:
        """Inputs, then outputs."""
        return [*self.inputs, *self.outputs]


class CellBuffers:
    """Up to eight sets, one when they are large; which one serves a call is the judge's draw."""

    def __init__(
        self, device: JudgeDevice, signature: Signature, dims: dict[str, int], binding: dict[str, str]
    ) -> None:
        self.dims, self.binding = dims, binding
        sizes = signature.nbytes(dims, binding)
        count = 1 if sum(sizes) > ONE_SET_ABOVE else device.max_sets
        first_output = len(signature.inputs)
        self.shapes = signature.shapes(dims)[first_output:]
        self.dtypes = signature.dtypes(binding)[first_output:]
        self.sets: list[BufferSet] = []
        for _ in range(count):
            made = [device.allocate(size) for size in sizes]
            self.sets.append(BufferSet(made[:first_output], made[first_output:]))

    @property
    def fds(self) -> list[int]:
        """Descriptors of all buffers, set by set."""
        return [buffer.fd for one in self.sets for buffer in one.all]

    def close(self) -> None:
        """Free everything."""
        for one in self.sets:
            for buffer in one.all:
                buffer.close()
        self.sets = []
