"""The default ranking: geometric mean of the ranked sizes, ties share the place of their group's leader."""

from __future__ import annotations

from kernelbot_core import Ranking, hookimpl
from kernelbot_ranking_geomean._ranking import Geomean

__all__ = ["Geomean", "kernelbot_register_rankings"]


@hookimpl
def kernelbot_register_rankings() -> list[type[Ranking]]:
    """Bring the ranking ``geomean``."""
    return [Geomean]
