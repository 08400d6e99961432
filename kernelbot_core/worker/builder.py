"""The builder process: ``python -I -m kernelbot_core.worker.builder ORDER_FILE OUT``. No GPU, no secrets."""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec

from kernelbot_core.interfaces.language import Language
from kernelbot_core.model.build import BuildOrder
from kernelbot_core.worker.loop import import_object

TEXT_CAP = 1 << 16


def main() -> None:
    """Build once; the result is ``build.json`` in the artifact folder."""
    order_file, out = Path(sys.argv[1]), Path(sys.argv[2])
    order = msgspec.json.decode(order_file.read_bytes(), type=BuildOrder)
    language: Language = import_object(order.language)()
    build = language.build(order, order_file.parent, out)
    build = msgspec.structs.replace(build, text=build.text[:TEXT_CAP])
    (out / "build.json").write_bytes(msgspec.json.encode(build))


if __name__ == "__main__":
    main()
