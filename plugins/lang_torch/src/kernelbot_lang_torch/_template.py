"""A PyTorch file to start from."""

from __future__ import annotations

from kernelbot_core import Problem


def template(problem: Problem) -> str:
    """Destination-passing ``solve`` that runs and writes zeros; says how to return instead."""
    signature = problem.signature
    inputs = [tensor.name for tensor in signature.inputs]
    outputs = [tensor.name for tensor in signature.outputs]
    returning = ", ".join([*inputs, *(scalar.name for scalar in signature.scalars)])
    shapes = "\n".join(
        f"    {tensor.name}: [{', '.join(str(extent) for extent in tensor.shape)}] of {tensor.dtype}"
        for tensor in signature.tensors
    )
    body = "\n".join(f"    {name}.zero_()  # TODO" for name in outputs)
    return f'''"""{problem.file.title}: {problem.file.summary}

{shapes}
"""

import torch


def solve({", ".join(signature.arguments)}):
    # Write the result into {", ".join(outputs)}. `def solve({returning})` may return it instead;
    # the copy into {", ".join(outputs)} is then part of the measured time.
{body}
'''
