"""What the runner's process tells the one that started it: JSON, one message a line."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from kernelbot_core import Event, Report


class Progress(Struct, frozen=True, tag="event"):
    """One step forward."""

    event: Event


class Done(Struct, frozen=True, tag="report"):
    """The last message of a job that was judged."""

    report: Report


class Failed(Struct, frozen=True, tag="error", kw_only=True):
    """The last message of a job that could not be judged."""

    kind: str
    """Name of a class in ``kernelbot_core``: an error that somebody can put right."""
    message: str
    hint: str


Said = Progress | Done | Failed


def encode(message: Said) -> bytes:
    """A line; JSON escapes newlines, so that the only one is at its end."""
    return msgspec.json.encode(message, enc_hook=str) + b"\n"


def decode(line: bytes) -> Said:
    """The message of a line.

    :raises msgspec.MsgspecError: It is cut short, or none of ours.
    """
    return msgspec.json.decode(line, type=Said)
