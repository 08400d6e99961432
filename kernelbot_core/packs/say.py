"""``python -m kernelbot_core.packs.say FD FOLDER``: a check of a pack's code for whoever waits behind the walls.

Each finding is one line of JSON to the descriptor. Every byte of it may be the pack's own word.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import msgspec

from kernelbot_core.packs.check import check_code
from kernelbot_core.packs.load import load_problem


def main(fd: int, folder: Path) -> None:
    """Check the pack and say what is found, as it is found."""
    with os.fdopen(fd, "wb", buffering=0) as out:
        for finding in check_code(load_problem(folder)):
            out.write(msgspec.json.encode(finding) + b"\n")


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]))
