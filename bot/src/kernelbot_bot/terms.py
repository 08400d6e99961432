"""Who asks for what, and where the answer goes."""

from __future__ import annotations

import json

from msgspec import Struct

from kernelbot_core.model.queue import Ticket
from kernelbot_core.model.submission import Mode


class Wish(Struct, frozen=True, kw_only=True):
    """What somebody wants judged."""

    source: str
    filename: str
    problem: str | None = None
    gpu: str | None = None
    """Board label or device id; None: the header's, else the best there is."""
    lang: str | None = None
    mode: Mode = "ranked"


class Viewer(Struct, frozen=True, kw_only=True):
    """Who asks."""

    id: int
    """Discord id."""
    admin: bool = False


class Spot(Struct, frozen=True, kw_only=True):
    """Where a job's message stands, and whom it is for; kept beside the job in the queue."""

    channel: int
    by: int
    message: int = 0


def account_of(discord_id: int) -> str:
    """How the queue knows a member."""
    return f"discord:{discord_id}"


def note_of(spot: Spot) -> str:
    """A spot as the queue keeps it."""
    return json.dumps({"channel": spot.channel, "by": spot.by, "message": spot.message})


def spot_of(ticket: Ticket) -> Spot | None:
    """Where the job's message stands; None for a job that did not come through the bot."""
    try:
        values = json.loads(ticket.note)
        return Spot(channel=int(values["channel"]), by=int(values["by"]), message=int(values["message"]))
    except (ValueError, TypeError, KeyError):
        return None
