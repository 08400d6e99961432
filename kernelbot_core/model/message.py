"""The one message that passes between judge and worker: 256 bytes, fixed fields, no pickle, no JSON.

Layout, little endian: ``<I magic><H version><H kind><16s call id><I cell><I flags><16q dims><4d scalars>`` + padding.
"""

from __future__ import annotations

import enum
import struct

from msgspec import Struct

SIZE = 256
MAGIC = 0x4B42_0001
VERSION = 1
MAX_DIMS = 16
_FORMAT = struct.Struct("<IHH16sII16q4d")
_PADDING = bytes(SIZE - _FORMAT.size)
NO_ID = bytes(16)


class Kind(enum.IntEnum):
    """What a message says. J: judge to worker, W: worker to judge."""

    HELLO = 1
    """W: the worker is up (device and language are imported)."""
    LOAD = 2
    """J: load the artifact for dtype ``cell``; a descriptor that may come along is what FREEZE has left in another
    process of the job.  W answers DONE or RAISED."""
    PREPARE = 3
    """J: the attached descriptors are the buffers of ``dims`` at dtype ``cell``, ``flags`` sets of them. W: DONE."""
    CALL = 4
    """J: call solve on buffer set ``cell``."""
    QUEUED = 5
    """W: everything is enqueued behind the gate."""
    GO = 6
    """J: the gate is open (devices whose gate is the message itself)."""
    DONE = 7
    """W: finished; ``scalars[0]`` = seconds by the worker's own clock."""
    RAISED = 8
    """W: the submission's code raised; the text lies in the worker's text buffer."""
    BYE = 9
    """J: leave."""
    DROP = 10
    """J: unmap the buffers of the last PREPARE.  W: DONE."""
    LOOP = 11
    """J: call solve in a loop on buffer set ``cell`` and measure it alone, as ``flags`` says (:class:`Loop`).
    W: DONE, ``scalars[0]`` = seconds."""
    FREEZE = 12
    """J: leave what compilers have cached in the attached sealed memory.  W: DONE."""


class Flag(enum.IntFlag):
    """Meaning of ``flags`` in CALL and RAISED."""

    NONE = 0
    NULL = 1
    """CALL: go through the gate and do nothing; or nothing for about ``scalars[0]`` seconds, and then write the outputs
    (baseline worker only)."""
    STAND_IN = 32
    """CALL: read the inputs and write the outputs instead of calling solve (in processes that have loaded nothing of
    the submission)."""
    OPEN = 2
    """CALL: the gate is already open; the call is not timed."""
    BAD_RESULT = 4
    """RAISED: solve() returned something of the wrong number, shape or dtype."""
    OUT_OF_MEMORY = 8
    """RAISED: an allocation failed."""
    QUIET = 16
    """CALL: take no time of it; the judge's clock alone is looked at."""


class Loop(enum.IntEnum):
    """``flags`` of LOOP: figures that nobody attests."""

    DO_BENCH = 1
    """Each call after a flush by writing; median by events."""
    WALL = 2
    """Each call with a synchronisation; median by the host's clock."""
    SUSTAINED = 3
    """Back to back for a second; mean."""


class MessageError(ValueError):
    """Bytes that are not a message."""


class Message(Struct, frozen=True, kw_only=True):
    """One message."""

    kind: Kind
    id: bytes = NO_ID
    """16 random bytes drawn by the judge; the answer carries the same."""
    cell: int = 0
    flags: int = 0
    dims: tuple[int, ...] = ()
    scalars: tuple[float, ...] = ()

    def pack(self) -> bytes:
        """As exactly :data:`SIZE` bytes."""
        dims = (*self.dims, *([0] * (MAX_DIMS - len(self.dims))))
        scalars = (*self.scalars, *([0.0] * (4 - len(self.scalars))))
        head = _FORMAT.pack(MAGIC, VERSION, self.kind, self.id, self.cell, self.flags, *dims, *scalars)
        return head + _PADDING

    @classmethod
    def unpack(cls, data: bytes) -> Message:
        """Read :data:`SIZE` bytes that somebody untrusted wrote.

        :raises MessageError: Wrong length, magic, version, kind or padding.
        """
        if len(data) != SIZE:
            raise MessageError(f"a message of {len(data)} bytes instead of {SIZE}")
        magic, version, kind, call_id, cell, flags, *rest = _FORMAT.unpack_from(data)
        if magic != MAGIC or version != VERSION or data[_FORMAT.size :] != _PADDING:
            raise MessageError("a message that is not in the format")
        if kind not in Kind.__members__.values():
            raise MessageError(f"a message of unknown kind {kind}")
        return cls(
            kind=Kind(kind),
            id=call_id,
            cell=cell,
            flags=flags,
            dims=tuple(rest[:MAX_DIMS]),
            scalars=tuple(rest[MAX_DIMS:]),
        )
