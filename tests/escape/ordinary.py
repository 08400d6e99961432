"""Running something as a throw-away ordinary user, in a mount namespace that is thrown away with it."""

import os
import shlex
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

from bait import ORDINARY


def closed_above(path):
    """The first folder above ``path`` that others may not enter; None when the way is free."""
    for folder in reversed(Path(path).parents):
        if not folder.stat().st_mode & stat.S_IXOTH:
            return folder
    return None


def as_ordinary(command, **options):
    """Run a command as an ordinary user: this one, or when this is root the throw-away user.

    Never as root: what the command tries might succeed on the machine. A Python that lies in a closed folder (root's
    home) is shown at the same path through a mount that only the command sees.
    """
    if os.geteuid():
        return subprocess.run(command, **options)
    words = ["set -e"]
    base = Path(sys.base_prefix).resolve()
    closed = closed_above(base)
    if closed is not None:
        place = shlex.quote(tempfile.mkdtemp(prefix="kernelbot-python-"))
        words += [
            f"mount --bind {shlex.quote(str(base))} {place}",
            f"mount -t tmpfs -o mode=0755 none {shlex.quote(str(closed))}",
            f"mkdir -p {shlex.quote(str(base))}",
            f"mount --bind {place} {shlex.quote(str(base))}",
        ]
    drop = ["setpriv", f"--reuid={ORDINARY}", f"--regid={ORDINARY}", "--clear-groups", "--inh-caps=-all"]
    words.append(f"exec {shlex.join([*drop, '--', *map(str, command)])}")
    try:
        return subprocess.run(["unshare", "--mount", "sh", "-c", "; ".join(words)], **options)
    finally:
        if closed is not None:
            os.rmdir(shlex.split(place)[0])
