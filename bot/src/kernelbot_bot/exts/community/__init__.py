"""What the community brings and hears: proposals, the weekly digest, the archive of first places."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kernelbot_bot.exts.community.archive import archive
from kernelbot_bot.exts.community.digest import Digests
from kernelbot_bot.exts.community.propose import propose
from kernelbot_bot.exts.community.review import ReviewButton, Reviews
from kernelbot_bot.groups import group

if TYPE_CHECKING:
    from kernelbot_bot.app import KernelBot


async def setup(bot: KernelBot) -> None:
    """Add commands, buttons and the weekly clock."""
    group(bot, "problem").add_command(propose)
    group(bot, "leaderboard").add_command(archive)
    bot.add_dynamic_items(ReviewButton)
    await bot.add_cog(Reviews(bot))
    await bot.add_cog(Digests(bot))
