"""Every call is compared: between the calls, or after the block where that disturbs the clock less."""

from __future__ import annotations

import math

import msgspec

from kernelbot_core.judge.call import Sample
from kernelbot_core.judge.compare import Comparison
from kernelbot_core.judge.draw import Draw
from kernelbot_core.judge.failure import WrongOutput
from kernelbot_core.judge.oracle import Oracle
from kernelbot_core.model.report import CaseError


class Verifier:
    """Compares the calls of one cell and keeps the worst.

    :param keep: Bytes of inputs and outputs that may wait; 0 compares at once.
    """

    def __init__(self, oracle: Oracle, label: str, dims: dict[str, int], keep: int) -> None:
        self._oracle, self._label, self._dims, self._keep = oracle, label, dims, keep
        self._waiting: list[tuple[Draw, Sample]] = []
        self._held = 0
        self.worst = Comparison()
        self.calls = 0

    def add(self, draw: Draw, sample: Sample) -> None:
        """Take one call in, and its outputs away from the sample. Raises WrongOutput."""
        self.calls += 1
        self._waiting.append((draw, sample))
        self._held += draw.nbytes + sum(output.nbytes for output in sample.outputs)
        if self._held > self._keep:
            self.finish()
            return
        sample.outputs[:] = [output.clone() for output in sample.outputs]  # the next call's copies overwrite them

    def finish(self) -> None:
        """Compare whatever waits. Raises WrongOutput."""
        waiting, self._waiting, self._held = self._waiting, [], 0
        for draw, sample in waiting:
            self.worst.merge(self._oracle.check(self._label, self._dims, draw, sample.outputs))
            if self.worst.ok:
                sample.outputs.clear()
                continue
            assert self.worst.error is not None
            told = self._told(self.worst.error, sample)
            sample.outputs.clear()
            raise WrongOutput(told)

    def _told(self, error: CaseError, sample: Sample) -> CaseError:
        """The same error; what a call left as it was is no number of its own."""
        if error.output is None or error.index is None or sample.poison is None:
            return error
        number = self._oracle.number(error.output)
        if not sample.poison.still_at(number, error.index, sample.outputs[number]):
            return error
        where = f"{error.output}[{', '.join(map(str, error.index))}]"
        said = f"{where} was never written, expected {error.expected}"
        return msgspec.structs.replace(error, message=said, got=None, fraction=None)

    @property
    def fraction(self) -> float | None:
        """Worst error over what is allowed; None when not finite."""
        return self.worst.fraction if math.isfinite(self.worst.fraction) else None
