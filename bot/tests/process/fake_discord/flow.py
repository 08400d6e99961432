"""What every test about a submission does."""

from __future__ import annotations

from typing import Any

from fake_discord.server import FakeDiscord

KERNEL = b"#!kernelbot problem vector_add\nimport torch\n\n\ndef solve(a, b, out, n):\n    torch.add(a, b, out=out)\n"


def job_in(text: str) -> str:
    """Id of the job in ``#id queued, ...``."""
    return text.split()[0].removeprefix("#")


async def submitted(
    discord: FakeDiscord, who: int = 1, source: bytes = KERNEL, name: str = "k.py", **options: Any
) -> tuple[str, dict[str, Any]]:
    """A job, and the interaction that made it."""
    asked = await discord.slash(who, "leaderboard submit", {"file": (name, source)}, **options)
    return job_in(await discord.answered(asked)), asked


async def carded(discord: FakeDiscord, job: str, timeout: float = 60.0) -> dict[str, Any]:
    """The message with the end of a job."""
    found: dict[str, Any] = await discord.world.until(lambda: discord.world.card(job), timeout)
    return found
