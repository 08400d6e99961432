"""Where entries, reports and sources are kept."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from kernelbot_core.model.entry import Entry, Run
    from kernelbot_core.model.report import Report


class Store(ABC):
    """Chosen by the scheme of a URL: ``tinydb:///path``. ``plugins/store_tinydb`` is a complete example.

    Reports and sources are written before the row that names them.
    """

    scheme: ClassVar[str]

    @abstractmethod
    def __init__(self, url: str) -> None:
        """Open, creating what is missing. Raises UserError when that is not possible."""

    @classmethod
    def exists(cls, url: str) -> bool:  # noqa: ARG003 - for those that can tell
        """Whether a store is there already; creates nothing. One that cannot tell says yes, and opening it decides."""
        return True

    @abstractmethod
    def put_report(self, report: Report) -> None:
        """Keep a report under its id; writing the same one twice changes nothing."""

    @abstractmethod
    def report(self, report_id: str) -> Report | None:
        """The report of that id (or of the only id with that prefix)."""

    @abstractmethod
    def put_source(self, source: str) -> str:
        """Keep a source text; returns its sha256."""

    @abstractmethod
    def source(self, sha256: str) -> str | None:
        """The text of that hash."""

    @abstractmethod
    def add_run(self, entry: Entry, run: Run) -> Entry:
        """Add a run to the entry of that id, creating it; atomic between processes. Returns what is stored now.

        A run whose report is there already changes nothing.
        """

    @abstractmethod
    def set_invalid(self, entry: Entry, reason: str) -> Entry | None:
        """Take an entry off the boards with a reason, or put it back with an empty one; atomic between processes.

        :returns: What is stored now; None when it is not there.
        """

    @abstractmethod
    def entries(self, problem: str, gpu: str | None = None) -> Sequence[Entry]:
        """All entries of a problem, of every version and protocol."""

    @abstractmethod
    def gpus(self, problem: str) -> Sequence[str]:
        """Labels that have entries."""

    @abstractmethod
    def problems(self) -> Sequence[str]:
        """Names of problems that have entries."""

    @abstractmethod
    def reports(self) -> Sequence[str]:
        """Ids of all reports."""

    @abstractmethod
    def close(self) -> None:
        """Flush and close."""
