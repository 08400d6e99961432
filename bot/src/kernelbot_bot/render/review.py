"""What maintainers read about a proposal."""

from __future__ import annotations

from kernelbot_bot import plain
from kernelbot_bot.render.message import BAD, GOOD, Attached, Shown, embed
from kernelbot_bot.state import Proposal

SHOWN = 2500
EYES = (
    "Look at: is the statement clear, is the reference right, is the baseline fair, does the tolerance let honest "
    "rounding pass and nothing else, is the work formula what a call cannot avoid?"
)


def sheet(proposal: Proposal, text: str, *, sound: bool) -> Shown:
    """The end of the check, all of it as a file, and what is left to human eyes."""
    verdict = "✅ the pack holds against itself" if sound else "❌ the check found something"
    lines = [f"by <@{proposal.author}>", verdict, plain.block(text, SHOWN), EYES]
    made = embed(f"proposal {proposal.id}: {plain.text(proposal.name)}", lines, colour=GOOD if sound else BAD)
    return Shown(made, [Attached("review.txt", text.encode())])
