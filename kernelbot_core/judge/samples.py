"""``pytest PACK`` without a submission: one item per sample, as ``kernelbot pack check`` judges them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest


class Samples(pytest.File):
    """The samples of a pack."""

    def collect(self) -> Iterator[pytest.Item]:
        from kernelbot_core.engine.check_samples import samples

        for path in samples(self.path.parent):
            yield SampleItem.from_parent(self, name=f"{path.parent.name}[{path.name}]", sample=path)


class SampleFailed(Exception):  # noqa: N818 - shown as a verdict
    """A sample was judged otherwise than its pack says."""


class SampleItem(pytest.Item):
    """One sample, judged in test mode."""

    def __init__(self, *, sample: Path, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.sample = sample

    def runtest(self) -> None:
        from kernelbot_core.engine.check_samples import judge_sample

        outcome = judge_sample(self.path.parent, self.sample)
        if outcome.status == "not_run" and outcome.ok:
            pytest.skip(outcome.reason)
        if not outcome.ok:
            raise SampleFailed(f"expected {outcome.expected}, judged {outcome.status}: {outcome.reason}")

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if isinstance(excinfo.value, SampleFailed):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        return self.sample, None, self.name
