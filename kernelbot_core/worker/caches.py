"""What compilers of a worker have cached: frozen once, and given to further processes of the same job."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from kernelbot_core.worker.bundle import pack, read, write

VARIABLES = ("TRITON_CACHE_DIR", "TORCHINDUCTOR_CACHE_DIR", "CUDA_CACHE_PATH")


class Caches:
    """Cache folders below the working folder, as the environment names them when the process starts."""

    def __init__(self) -> None:
        self._work = Path.cwd()
        named = (Path(os.environ[name]) for name in VARIABLES if name in os.environ)
        self._names = [str(path.relative_to(self._work)) for path in named if path.is_relative_to(self._work)]

    def freeze(self, fd: int) -> None:
        """Leave everything in the sealed memory ``fd``; nothing when it does not fit."""
        with contextlib.suppress(ValueError, OSError):
            pack(self._work, fd, self._names)

    def fill(self, fd: int) -> None:
        """Take over what another process of the job has frozen, unless something is there already."""
        with contextlib.suppress(ValueError, OSError):
            write(read(fd), self._work)
