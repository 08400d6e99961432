"""A memory checker that a worker can run under, in test mode."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from kernelbot_core.model.device import Availability


class Sanitizer(ABC):
    """Brought by :meth:`Language.sanitizer`; ``kernelbot_lang_cuda`` has one, NVIDIA's memcheck.

    The worker calls the submission on copies whose allocations end where the tensors end, so that the first element too
    far is seen.
    """

    name: ClassVar[str]

    @abstractmethod
    def available(self) -> Availability:
        """Whether the tool is here. Runs in: controller."""

    @abstractmethod
    def command(self, command: Sequence[str]) -> list[str]:
        """The worker's command, run under the tool. Runs in: runner."""

    @abstractmethod
    def findings(self, output: str) -> list[str]:
        """Errors in what tool and worker printed, one line each, with the participant's line first.

        The text is untrusted: the submission may have printed the like. Runs in: runner.
        """

    def environment(self) -> dict[str, str]:
        """Environment variables that the worker needs. Runs in: runner."""
        return {}
