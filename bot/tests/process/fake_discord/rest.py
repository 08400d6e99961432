"""The HTTP side."""

from __future__ import annotations

import json
import time
from typing import Any

from aiohttp import web

from fake_discord.world import APP, BOT, CHANNEL, LATE_S, TOKEN, World, user

Json = dict[str, Any]
LIMITS = {"content": 2000, "title": 256, "description": 4096}
LARGEST_FILE = 10 << 20


def reply(data: Any, status: int = 200, headers: dict[str, str] | None = None) -> web.Response:
    """Discord's content type has no charset, and discord.py looks at it."""
    found = web.Response(body=json.dumps(data).encode(), status=status, headers=headers)
    found.headers["Content-Type"] = "application/json"
    return found


class Rest:
    """Handlers of the routes."""

    def __init__(self, world: World, base: str) -> None:
        self.world, self.base = world, base

    def add_to(self, app: web.Application) -> None:
        """Every route there is."""
        v = "/api/v10"
        routes = [
            ("GET", f"{v}/users/@me", self.me), ("GET", f"{v}/oauth2/applications/@me", self.application),
            ("PUT", f"{v}/applications/{{app}}/commands", self.commands),
            ("PUT", f"{v}/applications/{{app}}/guilds/{{guild}}/commands", self.commands),
            ("POST", f"{v}/interactions/{{id}}/{{token}}/callback", self.callback),
            ("POST", f"{v}/webhooks/{{app}}/{{token}}", self.followup),
            ("PATCH", f"{v}/webhooks/{{app}}/{{token}}/messages/{{message}}", self.edit_answer),
            ("POST", f"{v}/channels/{{channel}}/messages", self.post),
            ("PATCH", f"{v}/channels/{{channel}}/messages/{{message}}", self.edit),
            ("GET", "/cdn/{id}/{name}", self.file),
        ]  # fmt: skip
        for method, path, handler in routes:
            app.router.add_route(method, path, handler)
        app.router.add_route("*", "/{rest:.*}", self.unknown)

    @web.middleware
    async def watch(self, request: web.Request, handler: Any) -> web.StreamResponse:
        """Notes every request, checks the token where Discord does, injects faults."""
        self.world.requests.append((request.method, request.path))
        if (fault := self.world.take_fault(request.method, request.path)) is not None:
            if fault[3]:
                await handler(request)
            await self.world.tell()
            return reply(fault[2], fault[0], fault[1])
        free = ("/gateway", "/cdn/", "/api/v10/interactions/", "/api/v10/webhooks/")
        if not request.path.startswith(free) and request.headers.get("Authorization") != f"Bot {TOKEN}":
            return reply({"message": "401: Unauthorized", "code": 0}, 401)
        answer: web.StreamResponse = await handler(request)
        await self.world.tell()
        return answer

    async def me(self, _: web.Request) -> web.Response:
        return reply(user(int(BOT), "kernelbot", bot=True))

    async def application(self, _: web.Request) -> web.Response:
        return reply({
            "id": APP, "name": "kernelbot", "description": "", "icon": None, "bot_public": True,
            "bot_require_code_grant": False, "owner": user(1), "verify_key": "", "flags": 0,
        })  # fmt: skip

    async def commands(self, request: web.Request) -> web.Response:
        self.world.commands = [
            {"id": self.world.new_id(), "application_id": APP, "description": "", **c} for c in await request.json()
        ]
        return reply(self.world.commands)

    async def callback(self, request: web.Request) -> web.Response:
        found = self.world.interactions.get(request.match_info["token"])
        if found is None or time.monotonic() - found["at"] > LATE_S:
            return reply({"message": "Unknown interaction", "code": 10062}, 404)
        if found["ack"] is not None:
            return reply({"message": "Interaction has already been acknowledged.", "code": 40060}, 400)
        data, files = await self._body(request)
        found |= {"ack": data["type"], "acked": time.monotonic(), "data": data.get("data")}
        if data["type"] in (4, 5):
            found["answer"] = self._message(CHANNEL, data.get("data") or {}, files)
        return reply({"interaction": {"id": found["id"]}})

    async def followup(self, request: web.Request) -> web.Response:
        found = self.world.interactions[request.match_info["token"]]
        data, files = await self._body(request)
        made = self._message(CHANNEL, data, files)
        if found["ack"] == 5 and not found["told"]:
            found["answer"] = made
        found["told"].append(made)
        found["said"] = time.monotonic()
        return reply(made)

    async def edit_answer(self, request: web.Request) -> web.Response:
        found = self.world.interactions[request.match_info["token"]]
        if found["dead"]:
            return reply({"message": "Invalid Webhook Token", "code": 50027}, 401)
        data, files = await self._body(request)
        found["answer"] = self._message(CHANNEL, data, files)
        found["told"].append(found["answer"])
        found["said"] = time.monotonic()
        return reply(found["answer"])

    async def post(self, request: web.Request) -> web.Response:
        data, files = await self._body(request)
        if (wrong := self._too_long(data, files)) is not None:
            return wrong
        channel = request.match_info["channel"]
        once = (channel, str(data.get("nonce")))
        if data.get("enforce_nonce") and once in self.world.nonces:
            return reply(self.world.edits[self.world.nonces[once]][-1])
        made = self._message(channel, data, files)
        self.world.nonces[once] = made["id"]
        self.world.messages[made["id"]] = made
        self.world.edits[made["id"]].append(made)
        return reply(made)

    async def edit(self, request: web.Request) -> web.Response:
        found = self.world.messages.get(request.match_info["message"])
        if found is None:
            return reply({"message": "Unknown Message", "code": 10008}, 404)
        data, files = await self._body(request)
        if (wrong := self._too_long(data, files)) is not None:
            return wrong
        made = self._message(found["channel_id"], found | data, files) | {"id": found["id"]}
        self.world.messages[found["id"]] = made
        self.world.edits[found["id"]].append(made)
        return reply(made)

    async def file(self, request: web.Request) -> web.Response:
        return web.Response(body=self.world.files[request.match_info["id"]])

    async def unknown(self, request: web.Request) -> web.Response:
        self.world.unknown.append((request.method, request.path))
        return reply({"message": "404: Not Found", "code": 0}, 404)

    async def _body(self, request: web.Request) -> tuple[Json, list[tuple[str, bytes]]]:
        if not request.content_type.startswith("multipart/"):
            return await request.json(), []
        form = await request.post()
        files = [(part.filename, part.file.read()) for part in form.values() if isinstance(part, web.FileField)]
        return json.loads(str(form["payload_json"])), files

    def _too_long(self, data: Json, files: list[tuple[str, bytes]]) -> web.Response | None:
        embeds = data.get("embeds") or []
        texts = [(data.get("content") or "", LIMITS["content"])]
        texts += [(embed.get(key) or "", LIMITS[key]) for embed in embeds for key in ("title", "description")]
        if any(len(text) > most for text, most in texts):
            return reply({"message": "Invalid Form Body", "code": 50035}, 400)
        if any(len(file) > LARGEST_FILE for _, file in files):
            return reply({"message": "Request entity too large", "code": 40005}, 413)
        return None

    def _message(self, channel: str, data: Json, files: list[tuple[str, bytes]]) -> Json:
        attachments = []
        for name, content in files:
            number = self.world.new_id()
            self.world.files[number] = content
            url = f"{self.base}/cdn/{number}/{name}"
            attachments.append({"id": number, "filename": name, "size": len(content), "url": url, "proxy_url": url})
        return {
            "id": self.world.new_id(), "type": 0, "channel_id": channel,
            "author": user(int(BOT), "kernelbot", bot=True),
            "content": data.get("content") or "", "embeds": data.get("embeds") or [], "attachments": attachments,
            "components": data.get("components") or [], "flags": data.get("flags", 0), "mentions": [],
            "mention_roles": [], "mention_everyone": False, "pinned": False, "tts": False, "edited_timestamp": None,
            "timestamp": "2026-01-01T00:00:00+00:00", "allowed_mentions": data.get("allowed_mentions"),
        }  # fmt: skip
