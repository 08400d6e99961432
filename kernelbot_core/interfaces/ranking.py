"""How reports become places."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from kernelbot_core.model.entry import Entry, Standing
    from kernelbot_core.model.problem import Problem
    from kernelbot_core.model.report import Report


class Ranking(ABC):
    """Named by ``ranking.score`` of problem.toml; ``plugins/ranking_geomean`` is a complete example."""

    name: ClassVar[str]

    @abstractmethod
    def score(self, problem: Problem, report: Report) -> tuple[float | None, dict[str, float], dict[str, float]]:
        """Score of a passed report: (score of the board's dtype, per dtype, baseline per dtype), seconds.

        Runs in: judge and controller.
        """

    @abstractmethod
    def board(
        self, problem: Problem, entries: Sequence[Entry], *, dtype: str, size: str | None = None
    ) -> list[Standing]:
        """Order entries of one (problem, version, protocol, GPU); ``size=None`` is the overall board.

        Best entry per user; ties share the place of their group's leader. Runs in: controller.
        """
