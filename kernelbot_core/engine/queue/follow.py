"""The same for asyncio."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from kernelbot_core.engine.queue.dispatch import Dispatcher
from kernelbot_core.engine.queue.jobs import ticket
from kernelbot_core.engine.queue.update import Update

LOOK_S = 2.0
"""Between two looks at a job that another process runs."""


async def follow(dispatcher: Dispatcher, job_id: str) -> AsyncIterator[Update]:
    """Every update of a job from now on; starts with its present state, ends with its last one.

    Works for jobs of other processes too, whose single steps are not heard here.
    """
    loop, heard = asyncio.get_running_loop(), asyncio.Queue[Update]()

    def hear(update: Update) -> None:
        if update.ticket.id == job_id:
            loop.call_soon_threadsafe(heard.put_nowait, update)

    stop = dispatcher.subscribe(hear)
    try:
        last = Update(ticket=await asyncio.to_thread(ticket, dispatcher.queue, job_id))
        yield last
        while last.ticket.live:
            try:
                update = await asyncio.wait_for(heard.get(), LOOK_S)
            except TimeoutError:
                update = Update(ticket=await asyncio.to_thread(ticket, dispatcher.queue, job_id))
                if update.ticket == last.ticket or update.ticket.state == "recording":
                    continue
            last = update
            yield update
    finally:
        stop()
