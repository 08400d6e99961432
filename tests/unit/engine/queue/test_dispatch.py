"""A dispatcher with a scripted executor: what it tells, how it stops, what it does with a machine that fails."""

from __future__ import annotations

import asyncio
import threading

import pytest
from msgspec.structs import replace

from kernelbot_core.engine.queue import (
    Dispatcher,
    audit_log,
    enqueue,
    follow,
    lanes,
    report_of,
    ticket,
    tickets,
)
from kernelbot_core.errors import InfrastructureError, UsageError

LONG = 60


@pytest.fixture
def heard():
    return []


@pytest.fixture
def serve(queue, heard):
    """``serve()``: a running dispatcher; ended with the test."""
    made = []

    def start(devices=("cpu",), listen=()):
        dispatcher = Dispatcher(queue, devices)
        for listener in [heard.append, *listen]:
            dispatcher.subscribe(listener)
        dispatcher.start()
        made.append(dispatcher)
        return dispatcher

    yield start
    for dispatcher in made:
        dispatcher.stop(timeout=0)


@pytest.fixture
def until():
    """``listener, wait = until(condition)``: set when an update meets it."""

    def make(condition):
        met = threading.Event()
        return (lambda update: met.set() if condition(update) else None), lambda: met.wait(LONG)

    return make


def ended(*jobs):
    """True when all of these have ended, over any number of calls."""
    left = {job.id for job in jobs}

    def check(update):
        if not update.ticket.live:
            left.discard(update.ticket.id)
        return not left

    return check


def states(heard, job_id):
    return [update.ticket.state for update in heard if update.ticket.id == job_id and update.event is None]


def test_jobs_run_and_their_places_are_told(queue, add, serve, until, heard):
    jobs = [add("ada"), add("ada"), add("bob", mode="test")]
    listener, wait = until(ended(*jobs))
    serve(listen=[listener])
    assert wait()
    for job in jobs:
        assert states(heard, job.id) == ["running", "done"]
        assert report_of(queue, job.id).status == "passed"
    last = next(update for update in heard if update.ticket.id == jobs[0].id and update.ticket.state == "done")
    assert last.recorded.places[0].standing.rank == 1
    assert [(change.user, change.change, change.now) for change in last.podium] == [("ada", "new", 1)]
    steps = [update.event.phase for update in heard if update.event is not None and update.ticket.id == jobs[0].id]
    assert steps[0] == "build"
    assert steps[-1] == "benchmark"


def test_a_verdict_against_the_submission_is_an_end_like_any_other(queue, add, serve, until, world, make_report, fail):
    world.answer = lambda job: fail(make_report(job), "wrong")
    job = add()
    listener, wait = until(ended(job))
    serve(listen=[listener])
    assert wait()
    end = ticket(queue, job.id)
    assert (end.state, end.status, end.counted) == ("done", "wrong", True)
    assert queue.store.entries("twice") == []


def test_a_listener_that_raises_costs_nothing(queue, add, serve, until, caplog):
    def broken(update):
        raise RuntimeError("a bug of a front-end")

    job = add()
    listener, wait = until(ended(job))
    serve(listen=[broken, listener])
    assert wait()
    assert ticket(queue, job.id).state == "done"
    assert "a listener failed" in caplog.text


@pytest.mark.parametrize("how", ["status", "error", "bug"])
def test_a_machine_that_fails_is_tried_again_and_not_held_against_anybody(
    queue, add, serve, until, world, make_report, how
):
    calls = []

    def answer(job):
        calls.append(job.id)
        if len(calls) > 2:
            return make_report(job)
        if how == "status":
            return replace(make_report(job), status="infrastructure", reason="the card fell off")
        raise InfrastructureError("the card fell off", "") if how == "error" else RuntimeError("a bug")

    world.answer = answer
    job = add()
    listener, wait = until(ended(job))
    serve(listen=[listener])
    assert wait()
    end = ticket(queue, job.id)
    assert (end.state, end.status, end.attempt, end.faults) == ("done", "passed", 3, 2)


def test_a_device_that_loses_everything_is_paused(queue, add, serve, until, world):
    def answer(job):
        raise InfrastructureError("the card fell off", "")

    world.answer = answer
    jobs = [add(user) for user in ("ada", "bob", "cyd", "dan")]
    paused = threading.Event()
    dispatcher = serve(
        listen=[lambda update: paused.set() if update.ticket.user == "cyd" and update.ticket.faults else None]
    )
    assert paused.wait(LONG)
    dispatcher.stop()
    (lane,) = lanes(queue)
    assert (lane.flow, lane.waiting) == ("paused", 4)
    assert "in a row" in lane.reason
    assert {ticket(queue, job.id).state for job in jobs} == {"queued"}
    assert audit_log(queue, target="cpu")[0].actor == "kernelbot"


def test_what_cannot_run_at_all_ends_without_a_retry(queue, add, serve, until, world):
    def answer(job):
        raise UsageError("there is no device cuda:7", "")

    world.answer = answer
    job = add()
    listener, wait = until(ended(job))
    serve(listen=[listener])
    assert wait()
    end = ticket(queue, job.id)
    assert (end.state, end.counted, end.attempt, end.reason) == ("failed", False, 1, "there is no device cuda:7")


class Held:
    """An answer that takes until it is let go, or cancelled."""

    def __init__(self, world, make_report):
        self.inside, self.go, self.cancelled, self.make_report = threading.Event(), threading.Event(), [], make_report
        executor = world.registry.executors["scripted"]
        executor.cancel = self.cancel
        world.answer = self.answer

    def cancel(self, job_id):
        self.cancelled.append(job_id)
        self.go.set()
        return True

    def answer(self, job):
        self.inside.set()
        assert self.go.wait(LONG)
        if self.cancelled:
            raise InfrastructureError("the runner ended with exit code 130", "")
        return self.make_report(job)


@pytest.fixture
def held(world, make_report):
    return Held(world, make_report)


def test_a_running_job_is_cancelled_at_once(queue, add, serve, until, held):
    job = add()
    listener, wait = until(ended(job))
    dispatcher = serve(listen=[listener])
    assert held.inside.wait(LONG)
    dispatcher.cancel(job.id, actor="ada")
    assert wait()
    end = ticket(queue, job.id)
    assert (end.state, end.status, end.faults) == ("cancelled", "cancelled", 0)
    assert held.cancelled == [job.id]


def test_stopping_waits_for_what_runs_and_leaves_what_waits(queue, add, serve, held):
    job, later = add(), add()
    dispatcher = serve()
    assert held.inside.wait(LONG)
    threading.Timer(0.05, held.go.set).start()
    assert dispatcher.stop() is True
    assert (ticket(queue, job.id).state, ticket(queue, later.id).state) == ("done", "queued")


def test_stopping_without_patience_puts_back_what_runs(queue, add, serve, held):
    job = add()
    dispatcher = serve()
    assert held.inside.wait(LONG)
    assert dispatcher.stop(timeout=0) is False
    back = ticket(queue, job.id)
    assert (back.state, back.faults, back.attempt) == ("queued", 0, 1)


def test_devices_do_not_wait_for_each_other(queue, add, serve, until, held):
    add(device="cpu")
    other = add("bob", device="cuda:0")
    both = threading.Event()

    def count(update):
        if len(tickets(queue, states=["running"])) == 2:
            both.set()

    dispatcher = serve(["cpu", "cuda:0"], listen=[count])
    dispatcher.wake()
    assert both.wait(LONG)
    held.go.set()
    dispatcher.stop()
    assert ticket(queue, other.id).state == "done"


def test_following_a_job_with_asyncio(queue, make_job, serve):
    async def watch():
        dispatcher = serve()
        job = enqueue(queue, make_job())
        dispatcher.wake()
        return [update async for update in follow(dispatcher, job.id)]

    updates = asyncio.run(asyncio.wait_for(watch(), LONG))
    assert updates[-1].ticket.state == "done"
    assert updates[-1].recorded.entry is not None


def test_following_a_job_that_has_ended_says_so_and_ends(queue, add, serve, until):
    job = add()
    listener, wait = until(ended(job))
    dispatcher = serve(listen=[listener])
    assert wait()

    async def watch():
        return [update async for update in follow(dispatcher, job.id)]

    assert [update.ticket.state for update in asyncio.run(watch())] == ["done"]
