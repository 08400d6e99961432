"""Source text out of attachments, messages and pasted blocks."""

from __future__ import annotations

import re

import discord

from kernelbot_bot import plain
from kernelbot_core.engine.accept import decode_source
from kernelbot_core.errors import InfrastructureError, RefusedError

_FENCE = re.compile(r"```(?P<tag>[\w+#.-]*)[ \t]*\n(?P<code>.*?)```", re.DOTALL)
_C = {"cuda", "cu", "c", "cpp", "c++", "hip"}
SUFFIX_C, SUFFIX_PYTHON = ".cu", ".py"


async def from_attachment(file: discord.Attachment, cap: int) -> str:
    """Its text.

    :raises UserError: It is too large, which is known before it is fetched; or no text, or Discord has lost it.
    """
    name = plain.cell(file.filename, 60)
    if file.size > cap:
        raise RefusedError(f"{name}: {file.size} bytes, more than the limit of {cap}", "submit source code only")
    try:
        data = await file.read()
    except discord.HTTPException as exc:
        raise InfrastructureError(f"{name}: Discord does not hand it out (status {exc.status})", "try again") from None
    return decode_source(data, name, cap)


def from_text(text: str) -> tuple[str, str]:
    """Code and file name: the first fenced block, or the whole text where there is none."""
    fenced = _FENCE.search(text)
    code = fenced["code"] if fenced else text.strip().removeprefix("```").removesuffix("```")
    tag = fenced["tag"].lower() if fenced else ""
    is_c = tag in _C or (not tag and re.search(r"^\s*#include\b|__global__", code, re.MULTILINE) is not None)
    return code, f"pasted{SUFFIX_C if is_c else SUFFIX_PYTHON}"
