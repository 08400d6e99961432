"""Where jobs run."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from kernelbot_core.model.device import Availability
    from kernelbot_core.model.event import Event
    from kernelbot_core.model.report import Report
    from kernelbot_core.model.submission import Job


class Executor(ABC):
    """Runs a job somewhere and brings its report back::

    class Remote(Executor):
        name = "remote"
        def available(self): return Availability(ok=True)
        def capacity(self): return 1
        def run(self, job, on_event): return post(job)

    @hookimpl
    def kernelbot_register_executors():
        return [Remote]
    """

    name: ClassVar[str]

    @abstractmethod
    def available(self) -> Availability:
        """Whether it can take jobs at all. Runs in: controller."""

    @abstractmethod
    def capacity(self) -> int:
        """How many jobs may run at once. Runs in: controller."""

    @abstractmethod
    def run(self, job: Job, on_event: Callable[[Event], None]) -> Report:
        """Run the job to its end; always returns a report, of status ``infrastructure`` when the machine failed.

        :param on_event: Called with each step, on the calling thread.

        Runs in: controller.
        """

    def cancel(self, job_id: str) -> bool:  # noqa: ARG002 - an executor that can, overrides it
        """End a job that runs; its ``run`` soon returns or raises InfrastructureError. Called on another thread.

        :returns: False when it does not run here, or cannot be ended.

        Runs in: controller.
        """
        return False
