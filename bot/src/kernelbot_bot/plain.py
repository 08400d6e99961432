"""Text that somebody untrusted wrote, made harmless for Discord: no mention, no markdown, no link, no excess.

Names, file names, reports and compiler text go through here before they become part of a message; messages are sent
with ``allowed_mentions`` of nobody besides, so that two mistakes are needed for a ping.
"""

from __future__ import annotations

import re

from kernelbot_core.text import one_line, safe

BREAK = "\u200b"
"""Zero-width space: seen by nobody, and no mention or link has one inside."""
# What Discord gives a meaning: markdown, mentions, emoji, timestamps, masked links; bare addresses become links too.
_MARK = re.compile(r"[\\`*_~|>#\-+\[\](){}<@:]")
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200d\u2060-\u2064\u3164\ufe00-\ufe0f\uffa0\U000e0000-\U000e0fff]"
)
_HOST = re.compile(r"(?i)(discord|www)(?=\.)")
_NUMBERED = re.compile(r"^(\d+)\.(?=\s|$)")
_GUARDED = frozenset("@<:")


def text(value: object, longest: int = 100) -> str:
    """One line, cut to ``longest`` visible characters, that shows as it was written."""
    line = _INVISIBLE.sub("", one_line(str(value), 4 * longest))
    line = line if len(line) <= longest else f"{line[: longest - 1]}…"
    line = _HOST.sub(rf"\1{BREAK}", line)
    return _NUMBERED.sub(r"\1\\.", _MARK.sub(_escape, line)) or BREAK


def _escape(found: re.Match[str]) -> str:
    mark = found[0]
    return f"\\{mark}{BREAK}" if mark in _GUARDED else f"\\{mark}"


def cell(value: object, longest: int = 24) -> str:
    """A word of a table inside a code block."""
    line = _INVISIBLE.sub("", one_line(str(value), 4 * longest)).replace("`", "'")
    return line if len(line) <= longest else f"{line[: longest - 1]}…"


def bare(value: object, longest: int = 60) -> str:
    """A line where Discord shows no markdown, such as a footer, without even the look of a mention or a link."""
    return re.sub(r"[@<:]", lambda found: found[0] + BREAK, cell(value, longest))


def block(value: str, longest: int = 1000, language: str = "") -> str:
    """A code block of at most ``longest`` characters, fences included; of a long text the end, where errors stand."""
    inner = _quoted(value)
    room = longest - len(language) - 8
    if len(inner) > room:
        inner = "…\n" + inner[-(room - 2) :].partition("\n")[2]
    return f"```{language}\n{inner or ' '}\n```"


def _quoted(value: str) -> str:
    """Without anything that would end a code block; invisible marks go, since they hide what stands there."""
    return _INVISIBLE.sub("", safe(value)).replace("`", "'").strip("\n")


def filename(name: str, fallback: str = "file.txt") -> str:
    """A name for an attachment: ASCII letters, digits, dots, dashes and underscores, at most 60."""
    stem = re.sub(r"[^A-Za-z0-9._-]+", "_", name).strip("._")[-60:]
    return stem or fallback
