"""A process that adds runs to a store, for the concurrency check: ``writer.py module:Class URL WORKER COUNT``."""

from __future__ import annotations

import importlib
import sys

from kernelbot_core.conformance import sample
from kernelbot_core.interfaces.store import Store


def main(path: str, url: str, worker: str, count: str) -> None:
    """Add ``count`` runs to a common entry and as many entries of one's own."""
    module, _, name = path.partition(":")
    store: Store = getattr(importlib.import_module(module), name)(url)
    for number in range(int(count)):
        run = sample.run(f"{worker}-{number}", {"small": 1e-3})
        store.add_run(sample.entry("common", "everybody"), run)
        store.add_run(sample.entry(f"own-{worker}-{number}", f"user-{worker}"), run)
    store.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
