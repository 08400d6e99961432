"""Fixtures of the judge's own tests."""

from __future__ import annotations

import weakref
from typing import Any

import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from kernelbot_device_cpu._judge import CpuJudge


@pytest.fixture
def device():
    """The judge's half of the processor."""
    opened = CpuJudge(0)
    yield opened
    opened.close()


class LiveBytes(TorchDispatchMode):
    """Counts bytes as torch makes and drops tensors: ``peak`` is the most that was made inside and lived at once."""

    def __init__(self) -> None:
        super().__init__()
        self.now = self.peak = 0
        self._known: set[int] = set()

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        given = {one.untyped_storage().data_ptr() for one in tree_leaves(args) if isinstance(one, torch.Tensor)}
        made = func(*args, **(kwargs or {}))
        for one in tree_leaves(made):
            if isinstance(one, torch.Tensor):
                self._count(one.untyped_storage(), given)
        return made

    def _count(self, storage: Any, given: set[int]) -> None:
        key = storage.data_ptr()
        if not key or key in self._known or key in given:
            return
        self._known.add(key)
        self.now += storage.nbytes()
        self.peak = max(self.peak, self.now)
        weakref.finalize(storage, self._gone, key, storage.nbytes())

    def _gone(self, key: int, nbytes: int) -> None:
        self._known.discard(key)
        self.now -= nbytes


@pytest.fixture
def live_bytes() -> LiveBytes:
    """``with live_bytes:`` counts."""
    return LiveBytes()
