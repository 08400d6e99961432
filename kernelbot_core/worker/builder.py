"""The builder process: ``python -I -m kernelbot_core.worker.builder ORDER_FILE OUT_FD``. No GPU, no secrets.

It builds in its working folder, which is its own, and what it made leaves through shared memory.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import msgspec

from kernelbot_core.interfaces.language import Language
from kernelbot_core.model.build import BuildOrder
from kernelbot_core.worker.bundle import pack
from kernelbot_core.worker.loop import import_object

TEXT_CAP = 1 << 16


def main() -> None:
    """Build once; the result is ``build.json`` beside the files of the artifact."""
    order_file, out_fd = Path(sys.argv[1]), int(sys.argv[2])
    order = msgspec.json.decode(order_file.read_bytes(), type=BuildOrder)
    work = Path.cwd()
    shutil.copyfile(order_file.parent / order.source, work / order.source)
    out = work / "artifact"
    out.mkdir()
    language: Language = import_object(order.language)()
    build = language.build(order, work, out)
    build = msgspec.structs.replace(build, text=build.text[:TEXT_CAP])
    (out / "build.json").write_bytes(msgspec.json.encode(build))
    try:
        pack(out, out_fd)
    except ValueError as exc:
        raise SystemExit(f"the artifact is too large: {exc}") from None


if __name__ == "__main__":
    main()
