"""One worker process: ``python -I -m kernelbot_core.worker SOCKET_FD ORDER_FILE``."""

from __future__ import annotations

import socket
import sys
from pathlib import Path

import msgspec

from kernelbot_core.model.build import WorkerOrder
from kernelbot_core.worker.loop import Worker


def main() -> None:
    """Serve the judge until it says BYE or hangs up."""
    control = socket.socket(fileno=int(sys.argv[1]))
    order = msgspec.json.decode(Path(sys.argv[2]).read_bytes(), type=WorkerOrder)
    Worker(control, order).serve()


main()
