"""The text a worker may leave for the participant: a length and bytes in a sealed, capped buffer of the judge."""

from __future__ import annotations

import mmap
import re
import struct
import traceback

TEXT_SIZE = 1 << 16
_LENGTH = struct.Struct("<I")
FOREIGN = re.compile(r"kernelbot_|/site-packages/|/dist-packages/|/lib/python3|^<frozen ")
"""Files whose frames teach the participant nothing."""
CONTROL = re.compile("[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f]")
DEEPEST = 5


def write(buffer: mmap.mmap, text: str) -> None:
    """Put text into the buffer, cutting its start when it is too long (the end of a traceback says most)."""
    data = text.encode(errors="replace")[-(TEXT_SIZE - _LENGTH.size) :]
    buffer[: _LENGTH.size] = _LENGTH.pack(len(data))
    buffer[_LENGTH.size : _LENGTH.size + len(data)] = data


def read(buffer: mmap.mmap) -> str:
    """Read what somebody untrusted put there; never more than the buffer holds."""
    (length,) = _LENGTH.unpack(buffer[: _LENGTH.size])
    said = buffer[_LENGTH.size : _LENGTH.size + min(length, TEXT_SIZE)].decode(errors="replace")
    return CONTROL.sub("", said)


def own_traceback(exc: BaseException) -> str:
    """The participant's own frames of an exception and of what caused it, the innermost cause first."""
    chain: list[BaseException] = []
    link: BaseException | None = exc
    while link is not None and link not in chain and len(chain) < DEEPEST:
        chain.append(link)
        link = link.__cause__ or (None if link.__suppress_context__ else link.__context__)
    parts = []
    for one in reversed(chain):
        frames = [f for f in traceback.extract_tb(one.__traceback__) if not FOREIGN.search(f.filename)]
        parts += [*traceback.format_list(frames), *traceback.format_exception_only(one)]
    return "".join(parts).rstrip()
