"""A Triton file to start from."""

from __future__ import annotations

from kernelbot_core import Problem


def template(problem: Problem) -> str:
    """One kernel over the elements of the first output; it runs and writes zeros."""
    signature = problem.signature
    tensors = [tensor.name for tensor in signature.tensors]
    scalars = [scalar.name for scalar in signature.scalars]
    first = signature.outputs[0].name
    parameters = [*(f"{name}_ptr" for name in tensors), *scalars, "elements", "BLOCK: tl.constexpr"]
    return f'''"""{problem.file.title}: {problem.file.summary}"""

import triton
import triton.language as tl


@triton.jit
def kernel({", ".join(parameters)}):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < elements
    value = tl.zeros((BLOCK,), tl.float32)  # TODO: {" ".join(problem.file.summary.split())}
    tl.store({first}_ptr + at, value, mask=inside)


def solve({", ".join(signature.arguments)}):
    elements = {first}.numel()
    block = 1024
    kernel[(triton.cdiv(elements, block),)]({", ".join([*signature.arguments, "elements", "BLOCK=block"])})
'''
