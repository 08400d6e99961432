"""The text a worker may leave for the participant: a length and bytes in a sealed, capped buffer of the judge."""

from __future__ import annotations

import mmap
import struct
import traceback

TEXT_SIZE = 1 << 16
_LENGTH = struct.Struct("<I")
FIRST_FD = 0
"""Place of the text buffer among the descriptors of LOAD."""


def write(buffer: mmap.mmap, text: str) -> None:
    """Put text into the buffer, cutting its start when it is too long (the end of a traceback says most)."""
    data = text.encode(errors="replace")[-(TEXT_SIZE - _LENGTH.size) :]
    buffer[: _LENGTH.size] = _LENGTH.pack(len(data))
    buffer[_LENGTH.size : _LENGTH.size + len(data)] = data


def read(buffer: mmap.mmap) -> str:
    """Read what somebody untrusted put there; never more than the buffer holds."""
    (length,) = _LENGTH.unpack(buffer[: _LENGTH.size])
    return buffer[_LENGTH.size : _LENGTH.size + min(length, TEXT_SIZE)].decode(errors="replace")


def own_traceback(exc: BaseException) -> str:
    """Traceback without the frames of the harness."""
    frames = [f for f in traceback.extract_tb(exc.__traceback__) if "kernelbot_" not in f.filename]
    lines = traceback.format_list(frames) if frames else []
    return "".join([*lines, *traceback.format_exception_only(exc)]).rstrip()
