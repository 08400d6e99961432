"""The websocket: identify, resume, heartbeats, events with a sequence that can be replayed."""

from __future__ import annotations

import contextlib
import json
from typing import Any

from aiohttp import WSMsgType, web

from fake_discord.world import APP, BOT, GUILD, TOKEN, World, guild, user

HEARTBEAT_MS = 20_000


class Gateway:
    """One session, that survives its connections."""

    def __init__(self, world: World, base: str) -> None:
        self.world, self.base = world, base
        self.socket: web.WebSocketResponse | None = None
        self.log: list[dict[str, Any]] = []
        self.session = ""
        self.identified = 0
        self.resumed = 0
        self.refuse: int | None = None
        """Close code instead of READY."""

    async def handle(self, request: web.Request) -> web.WebSocketResponse:
        """One connection."""
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await socket.send_json({"op": 10, "d": {"heartbeat_interval": HEARTBEAT_MS}})
        async for message in socket:
            if message.type == WSMsgType.TEXT:
                await self._hear(socket, json.loads(message.data))
        if self.socket is socket:
            self.socket = None
        return socket

    async def event(self, name: str, data: dict[str, Any]) -> None:
        """Send it now, or when the bot has resumed."""
        frame = {"op": 0, "t": name, "s": len(self.log) + 1, "d": data}
        self.log.append(frame)
        await self._send(self.socket, frame)

    async def close(self, code: int) -> None:
        """End the connection from this side."""
        if self.socket is not None:
            await self.socket.close(code=code)

    async def reconnect(self) -> None:
        """Ask the bot to come again."""
        await self._send(self.socket, {"op": 7, "d": None})

    async def _hear(self, socket: web.WebSocketResponse, frame: dict[str, Any]) -> None:
        if frame["op"] == 1:
            await self._send(socket, {"op": 11})
        elif frame["op"] == 2:
            await self._identify(socket, frame["d"])
        elif frame["op"] == 6:
            await self._resume(socket, frame["d"])

    async def _identify(self, socket: web.WebSocketResponse, data: dict[str, Any]) -> None:
        if data["token"] != TOKEN or self.refuse:
            await socket.close(code=self.refuse or 4004)
            return
        self.socket, self.session, self.log = socket, self.world.new_id(), []
        await self.event("READY", {
            "v": 10, "user": user(int(BOT), "kernelbot", bot=True), "guilds": [{"id": GUILD, "unavailable": True}],
            "session_id": self.session, "resume_gateway_url": self.base.replace("http", "ws") + "/gateway",
            "application": {"id": APP, "flags": 0},
        })  # fmt: skip
        await self.event("GUILD_CREATE", guild())
        self.identified += 1
        await self.world.tell()

    async def _resume(self, socket: web.WebSocketResponse, data: dict[str, Any]) -> None:
        if data["session_id"] != self.session:
            await self._send(socket, {"op": 9, "d": False})
            return
        self.socket = socket
        for frame in self.log[data["seq"] :]:
            await self._send(socket, frame)
        await self.event("RESUMED", {})
        self.resumed += 1
        await self.world.tell()

    async def _send(self, socket: web.WebSocketResponse | None, frame: dict[str, Any]) -> None:
        if socket is not None and not socket.closed:
            with contextlib.suppress(ConnectionError):  # it is closing: the bot will ask for it again
                await socket.send_json(frame)
