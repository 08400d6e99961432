"""``python -m kernelbot_core`` is ``kernelbot``, for environments whose scripts are not on PATH."""

from __future__ import annotations

from kernelbot_core.cli import main

main()
