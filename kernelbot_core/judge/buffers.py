"""Shared buffers of one cell: of one worker, or of both where memory is dear."""

from __future__ import annotations

from collections.abc import Sequence

from kernelbot_core.interfaces.device import JudgeDevice, SharedBuffer
from kernelbot_core.model.problem import Signature

ONE_SET_ABOVE = 32 << 20


def set_count(sizes: Sequence[int], device: JudgeDevice) -> int:
    """Buffer sets of a cell whose tensors have these bytes."""
    return 1 if sum(sizes) > ONE_SET_ABOVE else device.max_sets


def shared_by_both(sizes: Sequence[int], device: JudgeDevice) -> bool:
    """Submission and baseline map the same buffers. Their calls then never have the same inputs."""
    return device.shares and set_count(sizes, device) == 1


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
        first_output = len(signature.inputs)
        self.shapes = signature.shapes(dims)[first_output:]
        self.dtypes = signature.dtypes(binding)[first_output:]
        self.sets: list[BufferSet] = []
        self._users = 1
        for _ in range(set_count(sizes, device)):
            made = [device.allocate(size) for size in sizes]
            self.sets.append(BufferSet(made[:first_output], made[first_output:]))

    @property
    def fds(self) -> list[int]:
        """Descriptors of all buffers, set by set."""
        return [buffer.fd for one in self.sets for buffer in one.all]

    def join(self) -> CellBuffers:
        """The same buffers for one more worker; each user closes them once."""
        self._users += 1
        return self

    def close(self) -> None:
        """Free everything once the last user has closed."""
        self._users -= 1
        if self._users > 0:
            return
        for one in self.sets:
            for buffer in one.all:
                buffer.close()
        self.sets = []
