"""A ``.cu`` file to start from."""

from __future__ import annotations

import re

from kernelbot_core import Problem, Signature, c_parameters, c_type


def template(problem: Problem) -> str:
    """One kernel over the elements of the first output, one launch; it builds and writes zeros."""
    signature = problem.signature
    given = c_parameters(signature)
    names = [*signature.arguments, "stream"]
    elements = _elements(signature)
    outputs = signature.outputs
    first = outputs[0]
    labels = ", ".join(f"KB_{label}" for label in problem.bindings)
    zero = f"static_cast<{c_type(first.dtype)}>(0.0f)"
    others = "".join(f"    // {output.name} is yours to write as well\n" for output in outputs[1:])
    return f"""// {problem.file.title}: {problem.file.summary}
//
// Built once for each dtype, with one of {labels} defined; kernelbot.h is included for you.
// To offer only some dtypes, write for example:  //!kernelbot dtypes {next(iter(problem.bindings))}

__global__ void kernel({", ".join([*given[:-1], "int64_t elements"])}) {{
    const int64_t start = blockIdx.x * int64_t{{blockDim.x}} + threadIdx.x;
    const int64_t stride = int64_t{{gridDim.x}} * blockDim.x;
    for (int64_t i = start; i < elements; i += stride) {{
        {first.name}[i] = {zero};  // TODO: {_one_line(problem.file.summary)}
    }}
{others}}}

extern "C" void solve({", ".join(given)}) {{
    const int64_t elements = {elements};
    const int threads = 256;
    const int64_t needed = (elements + threads - 1) / threads;
    const int blocks = static_cast<int>(needed < 65535 ? needed : 65535);
    kernel<<<blocks, threads, 0, stream>>>({", ".join([*names[:-1], "elements"])});
}}
"""


def _elements(signature: Signature) -> str:
    """Number of elements of the first output in C, from scalars that carry a dimension; 1 where it cannot be said."""
    carriers = {str(scalar.value): scalar.name for scalar in signature.scalars}
    factors = []
    for extent in signature.outputs[0].shape:
        text = str(extent)
        if text.isdigit():
            factors.append(text)
        elif text in carriers:
            factors.append(carriers[text])
        else:
            shape = " * ".join(f"({e})" for e in signature.outputs[0].shape)
            return f"1 /* TODO: {shape} */"  # for the author: no scalar carries it
    return " * ".join(factors) or "1"


def _one_line(text: str) -> str:
    return re.sub(r"\s+", " ", text)
