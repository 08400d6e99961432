"""What there is: one server, its channels and members, messages, interactions; and what was asked for."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections import defaultdict
from typing import Any

TOKEN = "fake-token-of-the-bot"
APP, BOT, GUILD, CHANNEL, ROLE = "100", "100", "200", "300", "400"
LATE_S = 3.0
"""An interaction that was not acknowledged by then is unknown."""


class World:
    """State of the fake, and the levers of a test."""

    def __init__(self) -> None:
        self._ids = itertools.count(int(time.time()) << 10)
        self.commands: list[dict[str, Any]] = []
        self.messages: dict[str, dict[str, Any]] = {}
        self.files: dict[str, bytes] = {}
        """Bytes of attachments by id, from members and from the bot."""
        self.interactions: dict[str, dict[str, Any]] = {}
        """By token: when it came, its acknowledgement, its answers."""
        self.edits: dict[str, list[dict[str, Any]]] = defaultdict(list)
        """Every state of a message, the first included."""
        self.requests: list[tuple[str, str]] = []
        self.unknown: list[tuple[str, str]] = []
        self.faults: list[tuple[str, str, int, dict[str, str], dict[str, Any], bool]] = []
        """Method, part of the path, status, headers, body, whether it is done all the same: each is used once."""
        self.nonces: dict[tuple[str, str], str] = {}
        """Message by channel and nonce."""
        self.changed = asyncio.Condition()

    def new_id(self) -> str:
        """Larger than every one before."""
        return str(next(self._ids))

    def fault(
        self,
        method: str,
        part: str,
        status: int,
        *,
        body: dict[str, Any] | None = None,
        taken: bool = False,
        **headers: str,
    ) -> None:
        """Let the next such request fail; one that is taken does what it should and is answered so all the same."""
        self.faults.append((method, part, status, headers, body or {"message": "injected", "code": 0}, taken))

    def take_fault(self, method: str, path: str) -> tuple[int, dict[str, str], dict[str, Any], bool] | None:
        """The fault of a request, if any."""
        for fault in self.faults:
            if fault[0] == method and fault[1] in path:
                self.faults.remove(fault)
                return fault[2:]
        return None

    async def tell(self) -> None:
        """Something has changed."""
        async with self.changed:
            self.changed.notify_all()

    async def until(self, check: Any, timeout: float = 60.0) -> Any:
        """Wait until ``check()`` is true; returns what it returned."""
        async with asyncio.timeout(timeout), self.changed:
            while not (found := check()):
                await self.changed.wait()
            return found

    def embeds(self, channel: str = CHANNEL) -> list[dict[str, Any]]:
        """Embeds of a channel's messages, oldest first."""
        return [e for m in self.messages.values() if m["channel_id"] == channel for e in m["embeds"]]

    def card(self, job: str) -> dict[str, Any] | None:
        """The message of a job once it says how it ended."""
        for message in self.messages.values():
            labels = [part.get("label") for row in message["components"] for part in row["components"]]
            titles = [embed.get("title", "") for embed in message["embeds"]]
            if "Run again" in labels and any(f"#{job}" in title for title in titles):
                return message
        return None


def user(number: int, name: str | None = None, *, bot: bool = False) -> dict[str, Any]:
    """A user."""
    return {"id": str(number), "username": name or f"user{number}", "discriminator": "0", "avatar": None, "bot": bot}


def member(number: int, name: str | None = None, roles: tuple[str, ...] = ()) -> dict[str, Any]:
    """A member, as interactions bring them."""
    return {
        "user": user(number, name), "roles": list(roles), "flags": 0, "permissions": "2147483647", "joined_at": None,
        "deaf": False, "mute": False,
    }  # fmt: skip


def guild() -> dict[str, Any]:
    """The server as GUILD_CREATE brings it."""
    roles = [{"id": GUILD, "name": "@everyone"}, {"id": ROLE, "name": "Kernelbot Admin"}]
    return {
        "id": GUILD, "name": "kernels", "roles": roles,
        "channels": [{"id": CHANNEL, "type": 0, "name": "submissions", "position": 0}],
        "members": [member(int(BOT), "kernelbot")], "member_count": 1, "unavailable": False, "threads": [],
    }  # fmt: skip
