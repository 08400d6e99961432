"""``/leaderboard submit`` and its kin, as a member meets them."""

from __future__ import annotations

import pytest

KERNEL = b"#!kernelbot problem vector_add\nimport torch\n\n\ndef solve(a, b, out, n):\n    torch.add(a, b, out=out)\n"

pytestmark = pytest.mark.asyncio


def job_of(result):
    return result.response.content.split()[0].removeprefix("#")


async def test_from_file_to_rank(channel, ada, shown):
    result = await ada.slash(channel, "leaderboard submit", file=("k.py", KERNEL), problem="vector_add", gpu="cpu")
    assert result.ephemeral
    assert "queued" in result.response.content
    message = await shown(job_of(result))
    text = message.embeds[0].description
    assert "RANK 1 / 1" in text
    assert "compile (1.2 s)" in text
    assert "matched the reference" in text
    assert "50 runs" in text
    assert ada.mention in text
