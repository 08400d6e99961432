"""Large cells: both workers map one set, and no two calls have the same inputs."""

from pathlib import Path
from types import SimpleNamespace

import pytest

import problem_packs
from kernelbot_core.judge.bench import Block, Effort
from kernelbot_core.judge.buffers import ONE_SET_ABOVE, set_count, shared_by_both
from kernelbot_core.judge.call import Sample
from kernelbot_core.judge.clean import CleanCalls
from kernelbot_core.judge.worker import WorkerHandle, prepare_both
from kernelbot_core.model.message import Kind
from kernelbot_core.packs.load import load_problem
from kernelbot_core.testing import ScriptedBuffer, ScriptedDevice, ScriptedRunner, honest

PROBLEM = load_problem(Path(next(iter(problem_packs.__path__))) / "vector_add")
LARGE = {"n": ONE_SET_ABOVE // 8}
SMALL = {"n": 1024}


class Device(ScriptedDevice):
    """Remembers its buffers, and how many bytes were there at most."""

    shares = True
    max_sets = 8

    def __init__(self):
        super().__init__()
        self.open, self.peak = [], 0

    def allocate(self, nbytes):
        buffer = Counted(nbytes, self.open)
        self.peak = max(self.peak, sum(one.nbytes for one in self.open))
        return buffer


class Counted(ScriptedBuffer):
    def __init__(self, nbytes, others):
        super().__init__(nbytes)
        self.others = others
        others.append(self)

    def close(self):
        super().close()
        self.others.remove(self)


@pytest.fixture
def workers():
    made = []

    def make(device):
        for role in ("submission", "baseline"):
            told = []
            handle = WorkerHandle(
                ScriptedRunner(lambda m, told=told: told.append(m) or honest(m)), device, PROBLEM, role
            )
            handle.ready()
            handle.told = told
            made.append(handle)
        return made[-2:]

    yield make
    for handle in made:
        handle.close()


def test_only_cells_with_one_set_are_shared():
    device = Device()
    assert set_count([ONE_SET_ABOVE], device) == 8
    assert set_count([ONE_SET_ABOVE, 1], device) == 1
    assert [shared_by_both([ONE_SET_ABOVE, n], device) for n in (0, 1)] == [False, True]
    device.shares = False
    assert not shared_by_both([ONE_SET_ABOVE, 1], device)


def test_both_map_the_same_buffers_and_the_last_one_frees_them(workers):
    device = Device()
    submission, baseline = workers(device)
    assert prepare_both(submission, baseline, "fp32", LARGE)
    assert submission.buffers is baseline.buffers
    assert len(device.open) == 3
    for handle in (submission, baseline):
        assert [m.kind for m in handle.told].count(Kind.PREPARE) == 1
    submission.drop()
    assert len(device.open) == 3
    baseline.drop()
    assert device.open == []


def test_small_cells_have_buffers_of_their_own(workers):
    device = Device()
    submission, baseline = workers(device)
    assert not prepare_both(submission, baseline, "fp32", SMALL)
    assert submission.buffers is not baseline.buffers
    assert len(device.open) == 2 * 8 * 3


@pytest.mark.parametrize("other", [{"n": LARGE["n"] + 1}, SMALL])
def test_the_old_set_is_gone_before_there_is_a_new_one(workers, other):
    device = Device()
    submission, baseline = workers(device)
    prepare_both(submission, baseline, "fp32", LARGE)
    one = device.peak
    prepare_both(submission, baseline, "fp32", other)
    assert device.peak < one + 4096
    assert prepare_both(submission, baseline, "fp32", LARGE)
    assert device.peak < one + 4096


def test_a_new_process_gets_the_set_and_the_dead_ones_is_freed(workers):
    device = Device()
    submission, baseline = workers(device)
    prepare_both(submission, baseline, "fp32", LARGE)
    submission.close()
    another, _ = workers(device)
    assert prepare_both(another, baseline, "fp32", LARGE)
    assert another.buffers is baseline.buffers
    assert len(device.open) == 3


class Recorder:
    """A caller that writes down which draw each call had."""

    def __init__(self, worker, seen):
        self.worker, self.seen = worker, seen

    def place(self):
        return 0

    def open_call(self, draw, place):
        return self.gated_call(draw, place)

    def gated_call(self, draw, place, **_):
        if draw is not None:
            self.seen.append((self.worker.role, draw))
        return Sample(T=1e-3, E=5e-4, outputs=[])


@pytest.mark.parametrize(("dims", "again"), [(LARGE, False), (SMALL, True)])
def test_the_baseline_never_gets_the_submissions_inputs_in_shared_buffers(workers, dims, again):
    submission, baseline = workers(Device())
    seen, drawn = [], iter(range(10_000))
    right = SimpleNamespace(ok=True)
    session = SimpleNamespace(
        baseline=lambda label: baseline, caller=lambda worker: Recorder(worker, seen),
        oracle=SimpleNamespace(check=lambda *a: right), problem=PROBLEM,
        job=SimpleNamespace(limits=SimpleNamespace(call_s=5.0)), by_events=True, clean=CleanCalls(),
    )  # fmt: skip
    cell = SimpleNamespace(dtype="fp32", dims=dims, name="cell")
    verifier = SimpleNamespace(add=lambda *a: None, finish=lambda: None)
    block = Block(session, cell, SimpleNamespace(next=lambda: next(drawn)), verifier, submission)
    block.run(Effort(open_calls=2, warm_up=2, pairs=10))
    mine = [draw for role, draw in seen if role == "submission"]
    theirs = [draw for role, draw in seen if role == "baseline"]
    assert len(mine) == len(theirs) == 14
    assert len(set(mine)) == len(mine), "fresh inputs for every call"
    assert set(mine).isdisjoint(theirs) != again
