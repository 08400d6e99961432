"""Any mix of attempts, deaths, late finishers and deliveries: nothing is lost, nothing reaches the board twice."""

from __future__ import annotations

import tempfile
from collections import Counter
from pathlib import Path

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, given, settings

from kernelbot_core.engine.archive import open_store
from kernelbot_core.engine.queue import (
    Queue,
    audit_log,
    cancel,
    claim,
    deliver,
    enqueue,
    fault,
    finish,
    give_back,
    heartbeat,
    owner_name,
    recover,
    report_of,
    ticket,
    tickets,
    undelivered,
)
from kernelbot_core.engine.queue.db import Database
from kernelbot_core.engine.queue.endings import RETRIES
from kernelbot_core.engine.queue.leases import LEASE_S

FAR = "another-machine:1:0.00"
ENDED = ("done", "cancelled", "failed")
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("add"), st.sampled_from(["ada", "bob"])),
        st.tuples(st.sampled_from(["claim", "freeze", "recover", "bring"]), st.just(0)),
        st.tuples(st.just("wait"), st.sampled_from([1.0, LEASE_S / 2, LEASE_S + 1])),
        st.tuples(st.sampled_from(["finish", "fault", "beat", "back", "cancel"]), st.integers(0, 2)),
    ),
    min_size=3,
    max_size=25,
)


class Story:
    """A queue, every lease that was ever given, and what the queue has said about them."""

    def __init__(self, folder, world, clock, make_job, verdict_of):
        self.queue = Queue(
            registry=world.registry, store=open_store(world.registry, f"tinydb://{folder}/store"),
            database=Database(Path(folder) / "queue.sqlite"), clock=clock,
        )  # fmt: skip
        self.clock, self.make_job, self.verdict_of = clock, make_job, verdict_of
        self.jobs, self.leases, self.accepted = {}, [], Counter()

    def add(self, user):
        if len(tickets(self.queue, states=["queued"], account=user)) < 5:
            job = self.make_job(user)
            self.jobs[job.id] = job
            enqueue(self.queue, job, counted=False)

    def claim(self, _):
        lease = claim(self.queue, "cpu", FAR)
        if lease is not None:
            assert lease.attempt == 1 + sum(old.ticket.id == lease.ticket.id for old in self.leases)
            self.leases.append(lease)

    def freeze(self, _):
        """Whoever runs a job falls silent, and somebody else takes over."""
        self.wait(LEASE_S + 1)
        self.claim(0)

    def wait(self, seconds):
        self.clock.now += seconds

    def recover(self, _):
        recover(self.queue)

    def bring(self, _):
        for found in undelivered(self.queue):
            deliver(self.queue, found.id)

    def of(self, number):
        """One of the latest leases, and whether its attempt is the one that runs."""
        if not self.leases:
            return None, False
        lease = self.leases[-1 - number % len(self.leases)]
        now = ticket(self.queue, lease.ticket.id)
        return lease, now.state == "running" and now.attempt == lease.attempt

    def finish(self, number):
        lease, valid = self.of(number)
        if lease is not None:
            ending = finish(self.queue, lease, self.verdict_of(self.jobs[lease.ticket.id]))
            assert (ending != "stale") == valid
            self.accepted[lease.ticket.id] += ending == "recording"

    def fault(self, number):
        lease, valid = self.of(number)
        if lease is not None:
            assert (fault(self.queue, lease, "a machine") != "stale") == valid

    def back(self, number):
        lease, valid = self.of(number)
        if lease is not None:
            assert (give_back(self.queue, lease) != "stale") == valid

    def beat(self, number):
        lease, valid = self.of(number)
        if lease is not None:
            assert (heartbeat(self.queue, lease) != "lost") == valid

    def cancel(self, number):
        if self.jobs:
            cancel(self.queue, list(self.jobs)[number % len(self.jobs)], actor="mod")

    def check(self):
        assert len(tickets(self.queue, states=["running"])) <= 1
        assert max(self.accepted.values(), default=0) <= 1
        everything = tickets(self.queue, states=["queued", "running", "recording", *ENDED])
        assert {found.id for found in everything} == set(self.jobs)
        assert all(found.faults <= RETRIES + 1 for found in everything)

    def play_out(self):
        self.clock.now += LEASE_S + 1
        while lease := claim(self.queue, "cpu", FAR):
            self.leases.append(lease)
            self.finish(0)
        self.bring(0)
        self.bring(0)

    def board(self):
        return Counter(run.report for entry in self.queue.store.entries("twice") for run in entry.runs)


@given(STEPS)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_nothing_is_lost_and_nothing_counts_twice(world, clock, make_job, make_report, steps):
    with tempfile.TemporaryDirectory() as folder:
        story = Story(folder, world, clock, make_job, make_report)
        for what, value in [("add", "ada"), ("add", "bob"), *steps]:
            getattr(story, what)(value)
            story.check()
        story.play_out()
        story.check()
        ends = {job_id: ticket(story.queue, job_id) for job_id in story.jobs}
        assert {end.state for end in ends.values()} <= set(ENDED)
        assert story.board() == Counter(name for name, end in ends.items() if end.state == "done")
        assert {name for name, end in ends.items() if end.state == "done"} == set(+story.accepted)
        story.queue.close()


def test_a_late_finisher_is_dropped_and_leaves_a_line(queue, add, clock, verdict):
    added = add()
    late = claim(queue, "cpu", FAR)
    clock.now += LEASE_S + 1
    lease = claim(queue, "cpu", FAR)
    assert (lease.ticket.id, lease.attempt) == (added.id, 2)
    assert heartbeat(queue, late) == "lost"
    assert finish(queue, late, verdict(late, time=1e-6)) == "stale"
    assert finish(queue, lease, verdict(lease, time=1e-3)) == "recording"
    assert finish(queue, late, verdict(late, time=1e-6)) == "stale"
    assert [act.act for act in audit_log(queue, target=added.id)] == ["stale", "stale", "lost"]
    (entry,) = [deliver(queue, added.id).entry]
    assert {result.median for result in entry.runs[0].results if result.size == "small"} == {1e-3}


def test_the_jobs_of_a_dead_process_come_back_at_once(queue, add):
    add()
    claim(queue, "cpu", owner_name().rpartition(":")[0] + ":1.00")  # its number is ours now, its start is not
    (lost,) = recover(queue)
    assert (lost.state, lost.faults) == ("queued", 1)


def test_the_jobs_of_a_live_process_and_of_another_machine_stay(queue, add, clock):
    add()
    lease = claim(queue, "cpu", owner_name())
    add(device="cuda:0")
    claim(queue, "cuda:0", FAR)
    clock.now += LEASE_S - 1
    assert heartbeat(queue, lease) == "go_on"
    assert recover(queue) == []
    clock.now += 2
    assert [lost.device for lost in recover(queue)] == ["cuda:0"]


def test_a_cancelled_run_is_no_verdict_whatever_it_says(queue, add, verdict):
    added = add()
    lease = claim(queue, "cpu", FAR)
    assert cancel(queue, added.id, actor="ada").cancelling
    assert heartbeat(queue, lease) == "cancel"
    assert finish(queue, lease, verdict(lease)) == "cancelled"
    assert (ticket(queue, added.id).status, undelivered(queue)) == ("cancelled", [])


@pytest.mark.parametrize("mode", ["test", "benchmark"])
def test_reports_that_the_store_does_not_keep_can_be_asked_for(queue, add, verdict, mode):
    added = add(mode=mode)
    lease = claim(queue, "cpu", FAR)
    report = verdict(lease)
    assert report_of(queue, added.id) is None
    finish(queue, lease, report)
    recorded = deliver(queue, added.id)
    assert recorded.entry is None
    assert report_of(queue, added.id) == report
    assert queue.store.report(added.id) is None
    assert ticket(queue, added.id).state == "done"


def test_a_verdict_that_cannot_be_stored_now_stays_safe(queue, add, verdict, monkeypatch):
    from kernelbot_core.errors import InfrastructureError

    added = add()
    lease = claim(queue, "cpu", FAR)
    finish(queue, lease, verdict(lease))

    def full(report):
        raise InfrastructureError("the disk is full", "make room")

    with monkeypatch.context() as patch:
        patch.setattr(queue.store, "put_report", full)
        with pytest.raises(InfrastructureError, match="full"):
            deliver(queue, added.id)
    assert [found.id for found in undelivered(queue)] == [added.id]
    assert deliver(queue, added.id).entry is not None
    assert undelivered(queue) == []


def test_a_pack_that_is_gone_by_then_keeps_it_off_the_board_and_says_so(queue, add, verdict, packs):
    added = add()
    lease = claim(queue, "cpu", FAR)
    finish(queue, lease, verdict(lease))
    (packs / "twice" / "problem.toml").unlink()
    (objection,) = deliver(queue, added.id).objections
    assert "problem.toml" in objection
    assert ticket(queue, added.id).state == "done"
    assert audit_log(queue, target=added.id)[0].act == "not ranked"
