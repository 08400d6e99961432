"""The gate, the shared buffers and the own copy, with a worker that behaves in every way a kernel might."""

from __future__ import annotations

import pytest

from kernelbot_core.errors import CaseFailure

pytestmark = pytest.mark.gpu

# What the kernel does is chosen by the number of elements, so that one worker serves all cases.
KERNEL = '''
import os
import torch

state = {}


def side():
    """A stream that does not wait for the default stream."""
    return state.setdefault("side", torch.cuda.Stream())


def honest(a, b, out, n):
    torch.add(a, b, out=out)


def reads_back(a, b, out, n):
    if a[0].item() != a[0].item():
        raise AssertionError
    torch.add(a, b, out=out)


def synchronises(a, b, out, n):
    torch.add(a, b, out=out)
    torch.cuda.synchronize()


def many_launches(a, b, out, n):
    out.zero_()
    for _ in range(2000):
        out.add_(0)
    out.add_(a).add_(b)


def forks_and_joins(a, b, out, n):
    side().wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side()):
        torch.add(a, b, out=out)
    torch.cuda.current_stream().wait_stream(side())


def replays_a_graph(a, b, out, n):
    key = (a.data_ptr(), b.data_ptr(), out.data_ptr())
    if key not in state:
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            torch.add(a, b, out=out)
        state[key] = graph
    state[key].replay()


def allocates(a, b, out, n):
    torch.cuda.empty_cache()
    room = torch.empty(1 << 24, device=a.device)
    torch.add(a, b, out=room[:n])
    out.copy_(room[:n])


def loads_late(a, b, out, n):
    """Another kernel, seen for the first time behind the gate, in the fourth call."""
    state["calls"] = state.get("calls", 0) + 1
    if state["calls"] > 3:
        out.copy_(torch.erfinv(a.clamp(-0.5, 0.5)))
    torch.add(a, b, out=out)


def changes_the_stream(a, b, out, n):
    torch.add(a, b, out=out)
    torch.cuda.set_stream(side())


def starts_early(a, b, out, n):
    with torch.cuda.stream(side()):
        torch.add(a, b, out=out)


def finishes_late(a, b, out, n):
    side().wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side()):
        torch.cuda._sleep(200_000_000)
        torch.add(a, b, out=out)


class Beyond:
    def __init__(self, tensor, count):
        self.__cuda_array_interface__ = {
            "shape": (count,), "typestr": "<f4", "data": (tensor.data_ptr(), False), "version": 3, "strides": None,
        }


def writes_too_far(a, b, out, n):
    torch.add(a, b, out=out)
    torch.as_tensor(Beyond(out, n + 5), device=out.device)[n + 4 :].fill_(1)


def changes_its_input(a, b, out, n):
    torch.add(a, b, out=out)
    a.zero_()


def asserts(a, b, out, n):
    out.copy_(a[torch.full((n,), n, device=a.device)])


def raises(a, b, out, n):
    out.zero_()
    raise ValueError("my own mistake")


def takes_too_much(a, b, out, n):
    torch.empty(1 << 45, dtype=torch.uint8, device=a.device)


def never_ends(a, b, out, n):
    torch.cuda._sleep(1 << 60)


def exits(a, b, out, n):
    os._exit(7)


def exits_politely(a, b, out, n):
    out.zero_()
    raise SystemExit(0)


def lies(a, b, out, n):
    return None


ALL = [honest, reads_back, synchronises, many_launches, forks_and_joins, replays_a_graph, allocates, loads_late,
       changes_the_stream, starts_early, finishes_late, writes_too_far, changes_its_input, asserts, raises,
       takes_too_much, never_ends, exits, exits_politely, lies]


def solve(a, b, out, n):
    ALL[n % 100](a, b, out, n)
'''
NAMES = [
    "honest", "reads_back", "synchronises", "many_launches", "forks_and_joins", "replays_a_graph", "allocates",
    "loads_late", "changes_the_stream", "starts_early", "finishes_late", "writes_too_far", "changes_its_input",
    "asserts", "raises", "takes_too_much", "never_ends", "exits", "exits_politely", "lies",
]  # fmt: skip
BASE = 100_000


def size(name):
    return BASE + NAMES.index(name)


def right(driven, draw, sample):
    """The judge's own copy holds the sum of the judge's own inputs."""
    import torch

    a, b = draw.tensors()
    return torch.equal(sample.outputs[0], a + b)


@pytest.fixture(scope="module")
def driven(drive):
    return drive(KERNEL)


def calls(driven, name, count=4):
    """One open call, then gated ones; the last draw and sample."""
    caller, n = driven.caller(size(name)), size(name)
    places = len(caller.worker.buffers.sets)
    for number in range(count):
        draw = driven.draw(n)
        sample = (caller.gated_call if number else caller.open_call)(draw, number % places)
        sample.outputs[:] = [output.clone() for output in sample.outputs]  # the next copies overwrite them
        yield draw, sample


@pytest.mark.parametrize("name", ["honest", "forks_and_joins", "changes_the_stream"])
def test_honest_kernels_pass(driven, name):
    for draw, sample in calls(driven, name):
        assert right(driven, draw, sample)
        assert 0 < sample.E < sample.T < 1
        assert not sample.host_sync


@pytest.mark.parametrize(
    "name", ["reads_back", "synchronises", "many_launches", "replays_a_graph", "loads_late", "allocates"]
)
def test_a_call_that_waits_for_the_device_is_let_through(driven, name):
    samples = list(calls(driven, name, 6))
    assert all(right(driven, draw, sample) for draw, sample in samples)
    if name in {"reads_back", "synchronises"}:
        assert all(sample.host_sync for _, sample in samples[1:])


def test_the_null_call(driven):
    """Nothing but the gate and the judge's copy."""
    caller = driven.caller(size("lies"))
    for _ in range(3):
        sample = caller.gated_call(None, 0)
        assert 0 < sample.E < sample.T < 0.1


@pytest.mark.parametrize("name", ["starts_early", "finishes_late", "lies"])
def test_what_the_judge_holds_at_the_end_counts(driven, name):
    """Computed on stale inputs, or not there yet: both are wrong although the right values stand there at some time."""
    samples = list(calls(driven, name))[1:]
    assert not any(right(driven, draw, sample) for draw, sample in samples)


def test_outputs_hold_fresh_poison_when_nothing_writes(driven):
    import torch

    first, second = [sample.outputs[0].clone() for _, sample in calls(driven, "lies", 3)][1:]
    assert not torch.equal(first.view(torch.int32), second.view(torch.int32))


def failure(driven, name, *, gated):
    """How a kernel that breaks is judged, in an open or in a gated call."""
    caller, draw = driven.caller(size(name)), driven.draw(size(name))
    with pytest.raises(CaseFailure) as caught:
        (caller.gated_call if gated else caller.open_call)(draw, 0)
    return caught.value


@pytest.mark.parametrize("gated", [False, True])
@pytest.mark.parametrize(
    ("name", "status", "words"),
    [
        ("writes_too_far", "wrong", "outside its buffers"),
        ("changes_its_input", "crashed", "inputs are read-only"),
        ("asserts", "crashed", "assert"),
        ("raises", "crashed", "my own mistake"),
        ("takes_too_much", "out_of_memory", "out of memory"),
        ("exits", "crashed", "exit code 7"),
        ("exits_politely", "crashed", "exit code 0"),
    ],
)
def test_broken_kernels_end_in_their_own_status(driven, name, status, words, gated):
    ended = failure(driven, name, gated=gated)
    assert ended.status == status, ended.reason
    assert words in ended.reason
    assert "\n" not in ended.reason
    draw, sample = list(calls(driven, "honest", 2))[-1]
    assert right(driven, draw, sample), "the next call is fine"


def test_an_endless_kernel_is_a_timeout(driven):
    ended = failure(driven, "never_ends", gated=True)
    assert ended.status == "timeout"
    draw, sample = list(calls(driven, "honest", 2))[-1]
    assert right(driven, draw, sample), "the next call is fine"


def test_the_judge_times_its_own_reveal(driven):
    spans = [sample.reveal for _, sample in list(calls(driven, "honest", 5))[1:]]
    assert len(spans) == 4, "one for each gated call"
    assert all(0 < span < 0.1 for span in spans)
