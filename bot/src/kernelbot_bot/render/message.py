"""A message before it is sent, and Discord's limits on it."""

from __future__ import annotations

import io
from dataclasses import dataclass, field

import discord

TITLE, DESCRIPTION, FIELD, FOOTER, CONTENT, WHOLE = 256, 4096, 1024, 2048, 2000, 6000
FILE_BYTES = 8 << 20
"""Largest attachment that every server takes."""
GOOD, BAD, BUSY, PLAIN = 0x2E9E5B, 0xD64545, 0x3B82C4, 0x8A8F98


@dataclass(frozen=True)
class Attached:
    """A file of a message."""

    name: str
    data: bytes

    def file(self) -> discord.File:
        """For discord.py; cut where Discord would refuse the whole message."""
        data = self.data
        if len(data) > FILE_BYTES:
            data = data[: FILE_BYTES - 64] + f"\n[cut: {len(self.data)} bytes]".encode()
        return discord.File(io.BytesIO(data), filename=self.name)


@dataclass(frozen=True)
class Shown:
    """An embed and its files."""

    embed: discord.Embed
    files: list[Attached] = field(default_factory=list)


def embed(title: str, lines: list[str], *, colour: int = PLAIN, footer: str = "") -> discord.Embed:
    """An embed whose text fits; whole lines are left out where it is too long, code blocks stay closed."""
    made = discord.Embed(title=_cut(title, TITLE), description=fit(lines, DESCRIPTION), colour=colour)
    if footer:
        made.set_footer(text=_cut(footer, FOOTER // 2))
    return made


def small(text: str) -> str:
    """A remark; Discord's small print works in messages, not in embeds."""
    return f"*{text}*"


def fit(parts: list[str], longest: int) -> str:
    """Join parts until the next would not fit; a part is a line or a whole code block and is never torn."""
    text, left = "", 0
    for part in parts:
        if left or len(text) + len(part) + 1 > longest - 40:
            left += 1
        else:
            text += ("\n" if text else "") + part
    return f"{text}\n… {left} more in the report" if left else text


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[: longest - 1] + "…"
