"""Numbers used once: Discord drops a message that it has already, when both carry the same."""

from __future__ import annotations

import hashlib


def nonce(*parts: object) -> str:
    """The same for the same thing, whoever says it again: a retry after an error, or the next process after a kill.

    Discord takes 25 characters and remembers them for some minutes.
    """
    return hashlib.sha256("\0".join(map(str, parts)).encode()).hexdigest()[:24]
