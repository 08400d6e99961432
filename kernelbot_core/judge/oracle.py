"""Inputs and expected outputs, made by the pack's code from a seed."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType, SimpleNamespace
from typing import Any

from kernelbot_core.case import Case
from kernelbot_core.errors import InfrastructureError
from kernelbot_core.judge.blocks import BLOCK, WHOLE, divided, walk
from kernelbot_core.judge.compare import Comparison, as_outputs, compare
from kernelbot_core.judge.draw import Block, Draw
from kernelbot_core.model.dtypes import DTYPES
from kernelbot_core.model.problem import Problem


class Oracle:
    """Knows what is right. Runs the pack's code, never the submission's."""

    def __init__(self, problem: Problem, pack: ModuleType, torch_device: str) -> None:
        self._problem, self._pack, self._device = problem, pack, torch_device
        self.whole, self.block = WHOLE, BLOCK

    def draw(self, label: str, dims: dict[str, int], seed: int, case: Case | None = None) -> Draw:
        """Inputs of one call, contiguous, in private memory; a case with a ``fill`` is always one block.

        :raises InfrastructureError: The pack's ``inputs`` breaks its own signature.
        """
        signature = self._problem.signature
        filled = case is not None and case.fill is not None
        rows = [] if filled else walk(signature, dims, whole=self.whole, block=self.block)

        def make(seed: int, extent: int | None) -> list[Any]:
            part = dims if extent is None or signature.separable is None else dims | {signature.separable: extent}
            return self._tensors(label, part, seed, case)

        return Draw(make, seed, rows, divided(signature)[: len(signature.inputs)])

    def _tensors(self, label: str, dims: dict[str, int], seed: int, case: Case | None) -> list[Any]:
        import torch

        generator = torch.Generator(device=self._device).manual_seed(seed)
        binding = self._problem.bindings[label]
        native = {variable: getattr(torch, DTYPES[dtype].torch) for variable, dtype in binding.items()}
        cell = SimpleNamespace(dims=dims, dtypes=native, device=self._device)
        tensors = as_outputs(self._pack.inputs(cell, generator))
        if case is not None and case.fill is not None:
            case.fill(*tensors)
        self._verify(tensors, binding, dims)
        return [tensor.contiguous() for tensor in tensors]

    def check(self, label: str, dims: dict[str, int], draw: Draw, got: Sequence[Any]) -> Comparison:
        """Compare outputs with the reference on fp64 copies of the inputs, one block at a time."""
        worst = Comparison()
        for block in draw.blocks():
            worst.merge(self._check_block(label, dims, block, got))
        return worst

    def _check_block(self, label: str, dims: dict[str, int], block: Block, got: Sequence[Any]) -> Comparison:
        exact = [m.double() if m.dtype.is_floating_point else m for m in block.tensors]
        expected = as_outputs(self._pack.reference(*exact))
        part = got if block.stop is None else [output[block.rows] for output in got]
        binding = self._problem.bindings[label]
        return compare(self._problem, binding, dims, exact, expected, part, self._pack, start=block.start)

    def number(self, output: str) -> int:
        """Place of an output among all, by its name."""
        return [tensor.name for tensor in self._problem.signature.outputs].index(output)

    def strategy(self, name: str, cell: Any) -> Any:
        """Strategy of cases that the pack gives for one of its properties."""
        return getattr(self._pack, name)(cell)

    def _verify(self, tensors: list[Any], binding: dict[str, str], dims: dict[str, int]) -> None:
        import torch

        signature = self._problem.signature
        shapes, dtypes = signature.shapes(dims), signature.dtypes(binding)
        if len(tensors) != len(signature.inputs):
            raise InfrastructureError(
                f"{self._problem.name}/problem.py: inputs() gave {len(tensors)} tensors, the signature has "
                f"{len(signature.inputs)}"
            )
        for argument, tensor, shape, dtype in zip(signature.inputs, tensors, shapes, dtypes, strict=False):
            wanted = getattr(torch, DTYPES[dtype].torch)
            if tuple(tensor.shape) != shape or tensor.dtype != wanted:
                raise InfrastructureError(
                    f"{self._problem.name}/problem.py: inputs() gave {argument.name} as {tuple(tensor.shape)} "
                    f"{tensor.dtype}, the signature says {shape} {wanted}"
                )
