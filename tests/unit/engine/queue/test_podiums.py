"""Changes of a podium outlive whoever recorded them."""

from __future__ import annotations

import sys

import pytest

from kernelbot_core.engine.queue import claim, deliver, drop_news, finish, podium_news, undelivered
from kernelbot_core.engine.queue.podiums import FRESH_S


@pytest.fixture
def judged(queue, add, verdict):
    """``judged("ada", 1e-3)``: a job with a verdict that is not in the store yet."""

    def make(user, time, **more):
        added = add(user, **more)
        lease = claim(queue, "cpu", "x:1:0")
        finish(queue, lease, verdict(lease, time))
        return added

    return make


def changes(queue):
    return {news.job: [(one.user, one.change, one.now) for one in news.changes] for news in podium_news(queue)}


def test_news_stay_until_they_are_dropped(queue, judged):
    first, second = judged("ada", 2e-3), judged("bob", 1e-3)
    deliver(queue, first.id)
    deliver(queue, second.id)
    assert changes(queue) == {first.id: [("ada", "new", 1)], second.id: [("bob", "new", 1), ("ada", "down", 2)]}
    drop_news(queue, first.id)
    assert list(changes(queue)) == [second.id]


def test_a_death_between_the_store_and_the_queue_costs_no_news(queue, judged, monkeypatch):
    job = judged("ada", 1e-3)
    with monkeypatch.context() as dying:
        dying.setattr(sys.modules[deliver.__module__], "news_after", _die)
        with pytest.raises(KeyboardInterrupt):
            deliver(queue, job.id)
    assert queue.store.entries(job.problem)
    assert podium_news(queue) == []
    [left] = undelivered(queue)
    deliver(queue, left.id)
    assert changes(queue) == {job.id: [("ada", "new", 1)]}


def _die(*_):
    raise KeyboardInterrupt


def test_what_changed_no_podium_or_is_old_is_no_news(queue, judged, clock):
    deliver(queue, judged("ada", 1e-3).id)
    assert len(podium_news(queue)) == 1
    clock.now += FRESH_S + 1
    assert podium_news(queue) == []
    deliver(queue, judged("ada", 2e-3).id)
    deliver(queue, judged("bob", 1e-3, mode="test").id)
    assert podium_news(queue) == []
