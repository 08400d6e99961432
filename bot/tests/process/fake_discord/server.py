"""The whole of it on a port of its own, and what members do in it."""

from __future__ import annotations

import time
from typing import Any, Self
from urllib.parse import quote

from aiohttp import web

from fake_discord.gateway import Gateway
from fake_discord.rest import Rest
from fake_discord.world import APP, CHANNEL, GUILD, World, member


class FakeDiscord:
    """``async with FakeDiscord() as discord``."""

    async def __aenter__(self) -> Self:
        self.world = World()
        app = web.Application(client_max_size=64 << 20)
        self._runner = web.AppRunner(app, shutdown_timeout=0.5)
        self.rest = Rest(self.world, "")
        app.middlewares.append(self.rest.watch)
        self.gateway = Gateway(self.world, "")
        app.router.add_get("/gateway", self.gateway.handle)
        app.router.add_get("/gateway/", self.gateway.handle)
        self.rest.add_to(app)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        port = site._server.sockets[0].getsockname()[1]  # type: ignore[union-attr]  # started above
        self.url = self.rest.base = self.gateway.base = f"http://127.0.0.1:{port}"
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.gateway.close(1001)
        await self._runner.cleanup()

    async def ready(self, times: int = 1) -> None:
        """The bot has identified itself so often, and its commands are known."""
        await self.world.until(lambda: self.gateway.identified >= times and self.world.commands)

    async def slash(
        self,
        who: int,
        path: str,
        files: dict[str, tuple[str, bytes]] | None = None,
        *,
        name: str | None = None,
        **options: Any,
    ) -> dict[str, Any]:
        """Use a command; returns the interaction, whose answers appear in it."""
        root, *rest = path.split()
        command = next(c for c in self.world.commands if c["name"] == root)
        resolved: dict[str, Any] = {}
        values = [{"name": key, "type": 3, "value": value} for key, value in options.items()]
        for key, (filename, data) in (files or {}).items():
            number = self.world.new_id()
            self.world.files[number] = data
            url = f"{self.url}/cdn/{number}/{quote(filename, safe='')}?ex=1"
            resolved[number] = {"id": number, "filename": filename, "size": len(data), "url": url, "proxy_url": url}
            values.append({"name": key, "type": 11, "value": number})
        for word in reversed(rest):
            values = [{"name": word, "type": 1, "options": values}]
        data = {"id": command["id"], "name": root, "type": 1, "options": values, "resolved": {"attachments": resolved}}
        return await self._interaction(2, data, who, name)

    async def click(self, who: int, message: dict[str, Any], label: str) -> dict[str, Any]:
        """Press a button."""
        buttons = [part for row in message["components"] for part in row["components"]]
        button = next(part for part in buttons if part["label"] == label)
        data = {"custom_id": button["custom_id"], "component_type": 2}
        return await self._interaction(3, data, who, None, message=message)

    async def answered(self, interaction: dict[str, Any], timeout: float = 60.0) -> str:
        """The text that the member reads."""
        await self.world.until(lambda: interaction["told"], timeout)
        return str(interaction["told"][-1]["content"])

    async def _interaction(
        self, kind: int, data: dict[str, Any], who: int, name: str | None, **extra: Any
    ) -> dict[str, Any]:
        number, token = self.world.new_id(), f"token-{self.world.new_id()}"
        found: dict[str, Any] = {
            "id": number, "token": token, "at": time.monotonic(), "ack": None, "told": [], "answer": None,
            "dead": False,
        }  # fmt: skip
        self.world.interactions[token] = found
        channel = {"id": CHANNEL, "type": 0, "name": "submissions", "position": 0, "permissions": "2147483647"}
        await self.gateway.event("INTERACTION_CREATE", {
            "id": number, "application_id": APP, "type": kind, "token": token, "version": 1, "data": data,
            "guild_id": GUILD, "channel_id": CHANNEL, "channel": channel, "member": member(who, name),
            "attachment_size_limit": 10 << 20, "locale": "en-US", "entitlements": [], **extra,
        })  # fmt: skip
        return found
