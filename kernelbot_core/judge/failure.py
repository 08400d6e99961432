"""A wrong output, with the element that shows it."""

from __future__ import annotations

from kernelbot_core.errors import CaseFailure
from kernelbot_core.model.report import CaseError


class WrongOutput(CaseFailure):
    """The comparison said no."""

    def __init__(self, error: CaseError) -> None:
        super().__init__("wrong", error.message)
        self.error = error
