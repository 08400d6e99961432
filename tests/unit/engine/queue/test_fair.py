"""Whose turn it is: properties that hold for any mix of accounts, priorities and arrivals."""

from __future__ import annotations

from collections import Counter

import hypothesis.strategies as st
from hypothesis import given

from kernelbot_core.engine.queue import Waiting, serve_order

ACCOUNTS = ["ada", "bob", "cyd", "dan"]
MIXES = st.lists(st.tuples(st.sampled_from(ACCOUNTS), st.integers(-1, 2)), max_size=24).map(
    lambda pairs: [Waiting(f"j{n}", account, priority, n) for n, (account, priority) in enumerate(pairs)]
)
TURNS = st.dictionaries(st.sampled_from(ACCOUNTS), st.integers(1, 50), max_size=4).filter(
    lambda turns: len(set(turns.values())) == len(turns)
)


def one_by_one(waiting, turns):
    """The rule, literally: best priority, then the account served longest ago, then its oldest job."""
    rest, turns, order = list(waiting), dict(turns), []
    while rest:
        level = max(job.priority for job in rest)
        first = {}
        for job in sorted((job for job in rest if job.priority == level), key=lambda job: job.seq):
            first.setdefault(job.account, job)
        chosen = min(first.values(), key=lambda job: (turns.get(job.account, 0), job.seq))
        order.append(chosen)
        rest.remove(chosen)
        turns[chosen.account] = max(turns.values(), default=0) + 1
    return order


@given(MIXES, TURNS)
def test_the_order_shown_is_the_order_served(waiting, turns):
    assert serve_order(waiting, turns) == one_by_one(waiting, turns)


@given(MIXES, TURNS)
def test_nobody_is_left_out_and_priorities_hold(waiting, turns):
    order = serve_order(waiting, turns)
    assert sorted(order) == sorted(waiting)
    assert [job.priority for job in order] == sorted((job.priority for job in waiting), reverse=True)


@given(MIXES, TURNS)
def test_jobs_of_one_account_keep_their_order(waiting, turns):
    order = serve_order(waiting, turns)
    for account in ACCOUNTS:
        mine = [(-job.priority, job.seq) for job in order if job.account == account]
        assert mine == sorted(mine)


@given(st.lists(st.sampled_from(ACCOUNTS), max_size=24), TURNS)
def test_nobody_is_served_twice_while_another_waits(accounts, turns):
    order = serve_order([Waiting(f"j{n}", name, 0, n) for n, name in enumerate(accounts)], turns)
    left = Counter(accounts)
    for at, job in enumerate(order):
        since = [later.account for later in order[at + 1 :]]
        until = since.index(job.account) if job.account in since else None
        if until is not None:
            waits = {name for name, count in left.items() if count and name != job.account}
            assert waits <= set(since[:until])
        left[job.account] -= 1


@given(st.integers(1, 40))
def test_a_hundred_of_one_delay_another_by_one(many):
    waiting = [Waiting(f"a{n}", "ada", 0, n) for n in range(many)] + [Waiting("b", "bob", 0, many)]
    order = [job.id for job in serve_order(waiting, {})]
    assert order.index("b") <= 1
