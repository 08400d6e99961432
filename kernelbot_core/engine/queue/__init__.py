"""The queue: durable, fair, and safe to kill. Front-ends import from here and from nowhere below.

A front-end does this::

    queue = open_queue(registry(), settings.store)              # queue.sqlite beside the store
    dispatcher = Dispatcher(queue, [device.id for device in all_devices(queue.registry)])
    dispatcher.subscribe(on_update)                             # on the dispatcher's threads; asyncio: follow()
    dispatcher.start()                                          # also puts right what a killed process left
    for ticket in untold(queue): ...                            # ends that nobody was shown, after a restart

    job = accept(..., device=device_for(queue, "H200"))         # kernelbot_core.engine.accept
    ticket = enqueue(queue, job, account="discord:1", guild="2", note="channel/message")
    dispatcher.wake()
    wait = wait_of(queue, ticket.id)                            # position, starts_in, ends_in
    async for update in follow(dispatcher, ticket.id): ...      # update.ticket.state, .event, .recorded, .podium
    report = report_of(queue, ticket.id)
    if mark_told(queue, ticket.id): ...                         # True once: then post the end
    for news in podium_news(queue): ...                         # announce, then drop_news(queue, news.job)
    dispatcher.stop(timeout=60)                                 # on SIGTERM

Maintainers: ``ban``, ``set_limit``, ``set_flow`` (pause, drain, resume), ``set_deadline``, ``set_private``, ``invite``,
``set_release``, ``audit_log`` here; ``invalidate``, ``reinstate``, ``rejudge`` in :mod:`kernelbot_core.engine.admin`.

Every function is synchronous, short (milliseconds) and safe on any thread and in any process. Errors are ``UserError``;
a refused job is ``RefusedError``, and ``LimitError.opens`` says when the next slot opens. Roles are the caller's
business: whoever may not do a thing must be stopped before; what is done names its ``actor`` in the audit log.

States: queued -> running -> recording -> done; cancelled (somebody asked); failed (the machine, after three
retries, not counted against the account). See ``docs/why/queue.md``.
"""

from __future__ import annotations

from kernelbot_core.engine.queue.accounts import ban, bans, quota, set_limit, unban
from kernelbot_core.engine.queue.audit import audit_log
from kernelbot_core.engine.queue.base import Queue, open_queue, queue_path
from kernelbot_core.engine.queue.boards import (
    board_rules,
    invite,
    join,
    may_see,
    members,
    set_deadline,
    set_member,
    set_private,
    set_release,
)
from kernelbot_core.engine.queue.deliver import deliver, report_of, undelivered
from kernelbot_core.engine.queue.dispatch import Dispatcher
from kernelbot_core.engine.queue.endings import Ending, Lease
from kernelbot_core.engine.queue.fair import Waiting, serve_order
from kernelbot_core.engine.queue.follow import follow
from kernelbot_core.engine.queue.jobs import cancel, enqueue, mark_told, rerun, set_note, ticket, tickets, untold
from kernelbot_core.engine.queue.lanes import lanes, set_flow
from kernelbot_core.engine.queue.leases import claim, fault, finish, give_back, give_up, heartbeat, recover
from kernelbot_core.engine.queue.limits import ANY, LimitError
from kernelbot_core.engine.queue.marks import drop_mark, mark, set_mark, take_mark
from kernelbot_core.engine.queue.owner import owner_name
from kernelbot_core.engine.queue.payload import job_of
from kernelbot_core.engine.queue.podiums import PodiumNews, drop_news, podium_news
from kernelbot_core.engine.queue.spread import device_for
from kernelbot_core.engine.queue.update import Update
from kernelbot_core.engine.queue.wait import wait_of

__all__ = [
    "ANY",
    "Dispatcher",
    "Ending",
    "Lease",
    "LimitError",
    "PodiumNews",
    "Queue",
    "Update",
    "Waiting",
    "audit_log",
    "ban",
    "bans",
    "board_rules",
    "cancel",
    "claim",
    "deliver",
    "device_for",
    "drop_mark",
    "drop_news",
    "enqueue",
    "fault",
    "finish",
    "follow",
    "give_back",
    "give_up",
    "heartbeat",
    "invite",
    "job_of",
    "join",
    "lanes",
    "mark",
    "mark_told",
    "may_see",
    "members",
    "open_queue",
    "owner_name",
    "podium_news",
    "queue_path",
    "quota",
    "recover",
    "report_of",
    "rerun",
    "serve_order",
    "set_deadline",
    "set_flow",
    "set_limit",
    "set_mark",
    "set_member",
    "set_note",
    "set_private",
    "set_release",
    "take_mark",
    "ticket",
    "tickets",
    "unban",
    "undelivered",
    "untold",
    "wait_of",
]
