"""A harness as they are commonly built, re-created to show that a cheat lives: it believes whatever runs inside it.

Submission, clock, inputs, expected values and verdict share one process; inputs are drawn once from a fixed seed and
used for every repeat; the output is compared once; the result is a line of JSON on a descriptor, of which the parent
takes the first. ``python naive.py < ORDERS`` reads one order a line and answers one line each; every order runs in a
process forked off for it, so that an import of torch is paid once.

An order: ``{"source": FILE, "problem": NAME, "device": "cpu", "repeats": 20, "check": "after", ...}``; see Pattern.
"""

import contextlib
import gc
import json
import os
import select
import signal
import sys
import time
from dataclasses import dataclass

import torch

SEED = 42
SIZES = {"vector_add": (1 << 20,), "matmul": (512, 512, 512), "softmax": (1024, 1024)}
GPU_SIZES = {"vector_add": (1 << 26,), "matmul": (4096, 4096, 4096), "softmax": (8192, 8192)}
"""Two stamps and an empty call take some 50 us of the host: what is to be overlooked has to be longer."""
LONGEST_S = 60


@dataclass
class Pattern:
    """What kind of naive the harness is."""

    source: str
    problem: str
    device: str = "cpu"
    repeats: int = 50
    warm: int = 3
    """Calls before, which nobody times."""
    check: str = "after"
    """``after`` the timed repeats, or ``before`` them, once."""
    compare: str = "allclose"
    """``allclose``; ``max_diff`` (a NaN passes); ``first_row`` (a sample); ``row_sums`` (a known sketch)."""
    tolerance: float = 1e-2
    expected: str = "before"
    """When the reference runs: ``before`` the submission, or ``after`` it on the very tensors it was given."""
    settle: float = 0.0
    """Seconds between the last repeat and the comparison."""
    output: str = "fresh"
    """``fresh`` memory that nobody clears, or what the allocator has just taken ``back`` from the expected values."""


def draw(problem, device):
    """Inputs, an output and scalars: the same ones whenever it is asked."""
    torch.manual_seed(SEED)
    dims = (SIZES if device == "cpu" else GPU_SIZES)[problem]
    if problem == "matmul":
        m, n, k = dims
        return [torch.rand(m, k, device=device) - 0.5, torch.rand(k, n, device=device) - 0.5], (m, n), dims
    count = 2 if problem == "vector_add" else 1
    return [torch.rand(dims, device=device) - 0.5 for _ in range(count)], dims, dims


def reference(problem, inputs):
    """What is right."""
    if problem == "matmul":
        return inputs[0] @ inputs[1]
    return torch.softmax(inputs[0], -1) if problem == "softmax" else inputs[0] + inputs[1]


def load(pattern):
    """``solve`` of the submission, imported into this very process."""
    if pattern.source.endswith(".cu"):
        from compiled import load_cuda

        return load_cuda(pattern.source, pattern.problem)
    scope = {"__name__": "submission"}
    exec(compile(open(pattern.source).read(), pattern.source, "exec"), scope)  # noqa: SIM115, PTH123 - as naive as such harnesses are
    return scope["solve"]


def same(pattern, got, expected):
    """Whether the output will do."""
    if pattern.compare == "first_row":
        got, expected = got.reshape(-1)[:256], expected.reshape(-1)[:256]
    if pattern.compare == "row_sums":
        got, expected = got.sum(-1), expected.sum(-1)
    if pattern.compare == "max_diff":
        return not bool(((got - expected).abs() > pattern.tolerance).any())
    return bool(torch.allclose(got, expected, rtol=pattern.tolerance, atol=pattern.tolerance))


def stamp(device):
    """A point in time, by whatever the library offers."""
    if device == "cpu":
        return time.perf_counter()
    event = torch.cuda.Event(enable_timing=True)
    event.record()
    return event


def seconds(device, began, ended):
    """Time between two stamps."""
    if device == "cpu":
        return ended - began
    torch.cuda.synchronize()
    return began.elapsed_time(ended) * 1e-3


def grade(pattern):
    """Run, time, compare: {"correct": ..., "seconds": ...}."""
    torch.set_num_threads(1)  # with more, waiting for one another is most of the time on a busy machine
    inputs, shape, dims = draw(pattern.problem, pattern.device)
    expected = reference(pattern.problem, inputs)
    solve = load(pattern)
    if pattern.output == "back":
        expected = None
        gc.collect()
    out = torch.empty(shape, device=pattern.device)
    takes_output = _takes_output(solve, len(inputs) + 1 + len(dims))

    def call():
        arguments = (*inputs, out, *dims) if takes_output else (*inputs, *dims)
        returned = solve(*arguments)
        return out if returned is None else returned

    def right(got):
        time.sleep(pattern.settle)
        wanted = expected if expected is not None and pattern.expected == "before" else None
        return same(pattern, got, reference(pattern.problem, inputs) if wanted is None else wanted)

    correct = right(call()) if pattern.check == "before" else None
    for _ in range(pattern.warm):
        call()
    spent, got = [], None
    for _ in range(pattern.repeats):
        began = stamp(pattern.device)
        got = call()
        spent.append(seconds(pattern.device, began, stamp(pattern.device)))
    if correct is None:
        correct = right(got)
    return {"correct": correct, "seconds": sum(spent) / len(spent)}


def _takes_output(solve, count):
    code = getattr(solve, "__code__", None)
    return code is None or bool(code.co_flags & 4) or code.co_argcount == count


def child(order, fd):
    """Grade in this process and write the line."""
    os.environ["HARNESS_RESULT_FD"], os.environ["HARNESS_SEED"] = str(fd), str(SEED)
    with open(os.devnull, "w") as nothing:  # noqa: PTH123 - as naive as such harnesses are
        os.dup2(nothing.fileno(), 1)
    try:
        result = grade(Pattern(**order))
    except BaseException as exc:  # noqa: BLE001 - whatever a submission raises
        result = {"correct": False, "seconds": None, "error": f"{type(exc).__name__}: {exc}"[:300]}
    os.write(fd, json.dumps(result).encode() + b"\n")
    os._exit(0)


def parent(order):
    """First line of what the child wrote; its exit code is nobody's business."""
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(read)
        os.setsid()
        child(order, write)
    os.close(write)
    said, deadline = b"", time.monotonic() + LONGEST_S
    while b"\n" not in said and time.monotonic() < deadline:
        if select.select([read], [], [], 0.2)[0]:
            more = os.read(read, 1 << 16)
            if not more:
                break
            said += more
    os.close(read)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    try:
        return json.loads(said.split(b"\n")[0])
    except ValueError:
        return {"correct": False, "seconds": None, "error": "no result"}


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(parent(json.loads(line))), flush=True)  # noqa: T201 - its answer
