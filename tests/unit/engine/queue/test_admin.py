"""What maintainers do: each act has its effect, holds in another process, and leaves one line in the audit log."""

from __future__ import annotations

import pytest

from kernelbot_core.engine.admin import find_entry, invalidate, reinstate, rejudge
from kernelbot_core.engine.queue import (
    LimitError,
    audit_log,
    ban,
    bans,
    board_rules,
    claim,
    deliver,
    finish,
    heartbeat,
    invite,
    join,
    may_see,
    members,
    quota,
    set_deadline,
    set_limit,
    set_member,
    set_private,
    set_release,
    ticket,
    unban,
)
from kernelbot_core.engine.rank import standings
from kernelbot_core.errors import RefusedError, UsageError
from kernelbot_core.settings import Settings

FAR = "another-machine:1:0.00"


def acts(queue, **more):
    return [(act.actor, act.act, act.target, act.detail) for act in reversed(audit_log(queue, **more))]


def test_a_ban_refuses_takes_back_and_ends(queue, add, clock):
    runs = add()
    lease = claim(queue, "cpu", FAR)
    waits, other = add(), add("bob")
    ban(queue, "ada", actor="mod", reason="miner", until=clock.now + 3600)
    assert heartbeat(queue, lease) == "cancel"
    assert (ticket(queue, waits.id).state, ticket(queue, other.id).state) == ("cancelled", "queued")
    with pytest.raises(RefusedError, match=r"until .* UTC: miner"):
        add()
    assert [one.account for one in bans(queue)] == ["ada"]
    clock.now += 3601
    assert bans(queue) == []
    assert add().state == "queued"
    assert [line[:2] for line in acts(queue, target="ada")] == [("mod", "ban")]
    assert ticket(queue, runs.id).cancelling


def test_a_ban_for_good_ends_with_a_word(queue, add):
    ban(queue, "ada", actor="mod", reason="miner")
    with pytest.raises(RefusedError, match="you may not submit: miner"):
        add()
    unban(queue, "ada", actor="mod")
    assert add().state == "queued"
    with pytest.raises(UsageError, match="is not banned"):
        unban(queue, "ada", actor="mod")


def test_the_most_particular_limit_counts(queue, add):
    assert quota(queue, "ada", "twice").per_hour == 30
    set_limit(queue, 5, actor="mod")
    assert quota(queue, "ada", "twice").per_hour == 5
    set_limit(queue, 4, actor="mod", problem="twice")
    assert quota(queue, "ada", "twice").per_hour == 4
    set_limit(queue, 3, actor="mod", account="ada")
    assert (quota(queue, "ada", "twice").per_hour, quota(queue, "bob", "twice").per_hour) == (3, 4)
    set_limit(queue, 1, actor="mod", account="ada", problem="twice")
    add()
    with pytest.raises(LimitError, match="the limit of 1 an hour"):
        add()
    set_limit(queue, 0, actor="mod", account="bob")
    with pytest.raises(LimitError, match="takes no jobs"):
        add("bob")
    set_limit(queue, None, actor="mod", account="ada", problem="twice")
    assert add().state == "queued"
    with pytest.raises(UsageError):
        set_limit(queue, -1, actor="mod")


def test_after_the_deadline_only_practice(queue, add, clock):
    set_deadline(queue, "twice", clock.now + 60, actor="mod")
    assert add().state == "queued"
    clock.now += 61
    with pytest.raises(RefusedError, match="closed at"):
        add()
    assert add(mode="test").state == "queued"
    set_deadline(queue, "twice", None, actor="mod")
    assert add().state == "queued"


def test_a_private_board_is_for_its_members(queue, add, clock):
    set_private(queue, "twice", True, actor="mod")
    assert not may_see(queue, "twice", None)
    with pytest.raises(RefusedError, match="is private"):
        add()
    code = invite(queue, "twice", actor="mod", uses=1, until=clock.now + 60)
    assert join(queue, code, "ada") == "twice"
    assert may_see(queue, "twice", "ada")
    assert add().state == "queued"
    with pytest.raises(RefusedError, match="not valid"):
        join(queue, code, "bob")
    set_member(queue, "twice", "bob", True, actor="mod")
    assert members(queue, "twice") == ["ada", "bob"]
    set_member(queue, "twice", "bob", False, actor="mod")
    assert members(queue, "twice") == ["ada"]
    assert not any(code in line for row in acts(queue) for line in row)


def test_an_invite_gets_old_and_joining_twice_costs_one(queue, clock):
    code = invite(queue, "twice", actor="mod", uses=2, until=clock.now + 60)
    for name in ("ada", "ada", "bob"):
        join(queue, code, name)
    with pytest.raises(RefusedError):
        join(queue, code, "cyd")
    late = invite(queue, "twice", actor="mod", uses=2, until=clock.now + 60)
    clock.now += 61
    with pytest.raises(RefusedError):
        join(queue, late, "cyd")


@pytest.mark.parametrize("release", [0, 14, "first", "never", None])
def test_when_code_becomes_public_can_be_said_per_board(queue, release):
    assert set_release(queue, "twice", release, actor="mod").release == release
    assert board_rules(queue, "twice").release == release


@pytest.fixture
def entry(queue, add, verdict):
    added = add()
    lease = claim(queue, "cpu", FAR)
    finish(queue, lease, verdict(lease))
    return deliver(queue, added.id).entry


def test_an_entry_is_taken_off_with_a_reason_and_put_back(queue, entry, world, problem):
    assert find_entry(queue, "twice", entry.id[:8]) == entry
    assert find_entry(queue, "twice", f"#{entry.runs[0].report}") == entry
    with pytest.raises(UsageError, match="with a reason"):
        invalidate(queue, entry, actor="mod", reason=" ")
    assert invalidate(queue, entry, actor="mod", reason="reads the clock").invalid == "reads the clock"
    assert standings(world.registry, problem, queue.store, gpu="cpu") == []
    reinstate(queue, entry, actor="mod")
    assert [line.entry.id for line in standings(world.registry, problem, queue.store, gpu="cpu")] == [entry.id]
    assert [line[:2] for line in acts(queue, target=entry.id)] == [("mod", "invalidate"), ("mod", "reinstate")]


def test_a_rejudge_runs_behind_everybody_and_adds_a_run(queue, entry, add, problem, verdict, clock):
    set_deadline(queue, "twice", clock.now - 1, actor="mod")
    again = rejudge(queue, problem, entry, Settings(), actor="mod")
    assert (again.counted, again.source, again.account) == (False, entry.source, "ada")
    other = add("bob", mode="test")
    assert claim(queue, "cpu", FAR).ticket.id == other.id
    with queue.database.write() as connection:
        connection.execute("UPDATE jobs SET state = 'done' WHERE id = ?", (other.id,))
    lease = claim(queue, "cpu", FAR)
    finish(queue, lease, verdict(lease, time=2e-3))
    assert [run.report for run in deliver(queue, again.id).entry.runs] == [entry.runs[0].report, again.id]
