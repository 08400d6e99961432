"""The inputs of one case, call by call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kernelbot_core.judge.draw import Draw
from kernelbot_core.model.problem import Cell

if TYPE_CHECKING:
    from kernelbot_core.judge.session import JudgeSession


class Draws:
    """Inputs for the calls of one case, each from a seed of its own, whichever process makes the call.

    :param case: Its id: other cases have other seeds.
    """

    def __init__(self, session: JudgeSession, case: str, cell: Cell) -> None:
        self._session, self._case, self._cell, self._drawn = session, case, cell, 0

    def next(self) -> Draw:
        """The next one."""
        seed = self._session.seeds.seed(self._case, self._drawn)
        self._drawn += 1
        return self._session.oracle.draw(self._cell.dtype, self._cell.dims, seed)
