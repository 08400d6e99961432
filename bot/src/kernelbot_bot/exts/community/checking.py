"""The part of a review that blocks."""

from __future__ import annotations

from pathlib import Path

from kernelbot_bot.desk import Desk
from kernelbot_bot.state import Proposal
from kernelbot_core.engine.check_samples import check_samples
from kernelbot_core.errors import UsageError
from kernelbot_core.packs.find import find_problems
from kernelbot_core.packs.load import load_problem
from kernelbot_core.runner.review import check_behind_walls
from kernelbot_core.text import one_line

MARKS = {True: "✓", False: "✗", None: "-"}


def check(desk: Desk, proposal: Proposal) -> tuple[bool, str]:
    """Whether the pack holds, and the text of the review.

    The pack against itself runs behind walls; each sample is judged as any submission is, behind walls of its own.

    :raises UserError: The pack cannot be read, or there are no walls here.
    """
    folder = Path(proposal.folder)
    problem = load_problem(folder)
    findings = list(check_behind_walls(desk.registry, desk.settings, problem))
    lines = [f"{MARKS[one.ok]} {one_line(f'{one.name}: {one.check}: {one.text}'.rstrip(': '))}" for one in findings]
    if all(one.ok is not False for one in findings):
        findings = list(check_samples(problem))
        lines += ["", "Samples", *(f"{MARKS[one.ok]} {one.name}: {one_line(one.text)}" for one in findings)]
    return all(one.ok is not False for one in findings), "\n".join(lines)


def approve(desk: Desk, number: int, who: int) -> Proposal:
    """Put the pack where problems are found.

    :raises UsageError: Somebody else was first, or the name is taken meanwhile.
    """
    proposal = desk.state.proposal(number)
    if proposal is None or proposal.state != "pending":
        raise UsageError(f"proposal {number} does not wait for a review", "look at the newest message about it")
    if proposal.name in {folder.name for folder in find_problems(desk.sources)}:
        raise UsageError(f"there is a problem {proposal.name} already", "reject it, and say so")
    if not desk.state.settle(number, "pending", "approved", reason=f"by {who}"):
        raise UsageError(f"proposal {number} has been settled already", "look at the newest message about it")
    Path(proposal.folder).rename(desk.packs / proposal.name)
    desk.note(who, "approve", proposal.name, f"proposal {number}")
    return proposal
