"""Adding, looking, taking back, and what the rules refuse."""

from __future__ import annotations

import sqlite3

import pytest

from kernelbot_core.engine.queue import (
    LimitError,
    audit_log,
    cancel,
    claim,
    deliver,
    enqueue,
    fault,
    finish,
    job_of,
    mark_told,
    rerun,
    set_flow,
    set_note,
    ticket,
    tickets,
    untold,
    wait_of,
)
from kernelbot_core.engine.queue.db import Database
from kernelbot_core.engine.queue.limits import HOUR_S, MOST_WAITING, PER_HOUR
from kernelbot_core.errors import RefusedError, UsageError


def test_what_was_added_comes_back_whole_in_another_process(queue, make_job):
    job = make_job()
    added = enqueue(queue, job, account="discord:7", guild="g", note="here", priority=2)
    again = type(queue)(
        registry=queue.registry, store=queue.store, database=Database(queue.database.path), clock=queue.clock
    )
    assert ticket(again, job.id) == added
    assert (added.state, added.account, added.user, added.guild, added.priority) == (
        "queued",
        "discord:7",
        "ada",
        "g",
        2,
    )
    assert job_of(again, job.id) == job
    again.database.close()


def test_a_job_is_there_with_its_source_or_not_at_all(queue, make_job):
    with queue.database.write() as connection:
        connection.execute("CREATE TRIGGER full BEFORE INSERT ON sources BEGIN SELECT RAISE(ABORT, 'no space'); END")
    with pytest.raises(sqlite3.Error, match="no space"):
        enqueue(queue, make_job())
    assert tickets(queue) == []


@pytest.mark.parametrize("mode", ["ranked", "test"])
def test_a_source_goes_to_the_store_with_the_verdict_and_can_be_run_again(queue, add, verdict, mode):
    added = add(mode=mode)
    source = job_of(queue, added.id).submission.source
    lease = claim(queue, "cpu", "x:1:0")
    finish(queue, lease, verdict(lease))
    deliver(queue, added.id)
    with queue.database.read() as connection:
        assert connection.execute("SELECT count(*) FROM sources").fetchone()[0] == 0
    again = rerun(queue, added.id, actor="ada")
    assert job_of(queue, again.id).submission.source == source


def test_a_job_is_found_by_the_beginning_of_its_id(queue, add):
    first = add()
    assert ticket(queue, f"#{first.id[:-1]}") == first
    add()
    with pytest.raises(UsageError, match="several jobs"):
        ticket(queue, first.id[0])
    with pytest.raises(UsageError, match="there is no job"):
        ticket(queue, "zzz")


def test_position_and_estimate_follow_the_order_of_service(queue, add, clock, verdict):
    for _ in range(2):
        add("eve")
        lease = claim(queue, "cpu", "x:1:0")
        clock.now += 10
        assert finish(queue, lease, verdict(lease)) == "recording"
        with queue.database.write() as connection:
            connection.execute("UPDATE jobs SET state = 'done'")
    first, second, third = add("ada"), add("ada"), add("bob")
    order = sorted((wait_of(queue, one.id).position, one.id) for one in (first, second, third))
    assert [name for _, name in order] == [first.id, third.id, second.id]
    assert wait_of(queue, third.id).starts_in == pytest.approx(10)
    assert wait_of(queue, second.id).ends_in == pytest.approx(30)
    claim(queue, "cpu", "x:1:0")
    clock.now += 4
    assert wait_of(queue, first.id).position == 0
    assert wait_of(queue, first.id).ends_in == pytest.approx(6)
    assert (wait_of(queue, third.id).position, wait_of(queue, third.id).starts_in) == (1, pytest.approx(6))


def test_a_paused_device_gives_no_estimate_and_starts_nothing(queue, add):
    added = add()
    set_flow(queue, "cpu", "paused", actor="mod", reason="new driver")
    assert wait_of(queue, added.id).starts_in is None
    assert claim(queue, "cpu", "x:1:0") is None
    set_flow(queue, "cpu", "open", actor="mod")
    assert claim(queue, "cpu", "x:1:0").ticket.id == added.id
    assert [(act.act, act.target, act.detail) for act in audit_log(queue)] == [
        ("resume", "cpu", ""), ("pause", "cpu", "new driver"),
    ]  # fmt: skip


def test_a_draining_device_takes_nothing_and_runs_what_it_has(queue, add):
    added = add()
    set_flow(queue, "cpu", "draining", actor="mod")
    with pytest.raises(RefusedError, match="takes no new jobs"):
        add()
    assert claim(queue, "cpu", "x:1:0").ticket.id == added.id
    assert add(device="cuda:0").state == "queued"


def test_the_limit_says_when_the_next_slot_opens_and_then_it_does(queue, add, clock):
    start = clock.now
    for _ in range(PER_HOUR):
        cancel_free = add()
        claim(queue, "cpu", "x:1:0")
        with queue.database.write() as connection:
            connection.execute("UPDATE jobs SET state = 'done' WHERE id = ?", (cancel_free.id,))
        clock.now += 60
    with pytest.raises(LimitError) as caught:
        add()
    assert caught.value.opens == start + HOUR_S
    assert "UTC" in caught.value.hint
    assert "30 min" in caught.value.hint
    assert add("bob").state == "queued"
    clock.now = caught.value.opens
    assert add().state == "queued"


def test_what_never_ran_and_what_the_machine_lost_does_not_count(queue, add, clock):
    added = add()
    cancel(queue, added.id, actor="ada")
    assert not ticket(queue, added.id).counted
    lost = add()
    while (lease := claim(queue, "cpu", "x:1:0")) is not None:
        ending = fault(queue, lease, "the card fell off")
    assert ending == "failed"
    end = ticket(queue, lost.id)
    assert (end.state, end.status, end.counted, end.faults, end.reason) == (
        "failed", "infrastructure", False, 4, "the card fell off",
    )  # fmt: skip


def test_so_many_may_wait_and_no_more(queue, add):
    for _ in range(MOST_WAITING):
        add()
    with pytest.raises(RefusedError, match="wait already"):
        add()
    assert add("bob").state == "queued"


def test_cancelling_what_waits_is_at_once_and_once(queue, add):
    added = add()
    assert cancel(queue, added.id, actor="ada").state == "cancelled"
    assert cancel(queue, added.id, actor="ada").state == "cancelled"
    assert claim(queue, "cpu", "x:1:0") is None
    assert [act.act for act in audit_log(queue, target=added.id)] == ["cancel"]


def test_a_rerun_is_a_job_of_its_own_with_the_same_source(queue, add):
    added = add("ada", account="discord:7", guild="g")
    again = rerun(queue, added.id, actor="mod", counted=False)
    assert again.id != added.id
    assert (again.origin, again.source, again.account, again.guild, again.counted) == (
        added.id, added.source, "discord:7", "g", False,
    )  # fmt: skip
    assert job_of(queue, again.id).submission == job_of(queue, added.id).submission
    assert audit_log(queue)[0].act == "rejudge"


def test_notes_and_what_was_shown_survive(queue, add):
    added = add(note="a")
    set_note(queue, added.id, "b")
    assert untold(queue) == []
    cancel(queue, added.id, actor="ada")
    assert [one.note for one in untold(queue)] == ["b"]
    assert [mark_told(queue, added.id) for _ in range(2)] == [True, False]
    assert untold(queue) == []


def test_a_file_of_a_newer_version_and_one_of_something_else_are_refused(tmp_path):
    newer, other = tmp_path / "newer.sqlite", tmp_path / "other.sqlite"
    connection = sqlite3.connect(newer)
    connection.execute("PRAGMA user_version = 999")
    connection.close()
    other.write_bytes(b"not a database at all, but long enough to look at" * 30)
    with pytest.raises(UsageError, match="newer than this kernelbot"):
        Database(newer)
    with pytest.raises(UsageError, match="cannot be opened"):
        Database(other)
