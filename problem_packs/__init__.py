"""The packs that come with kernelbot: one folder each."""

from pathlib import Path

from kernelbot_core import PackSource, hookimpl


@hookimpl
def kernelbot_register_problem_packs():
    """Bring the folders beside this file."""
    return [PackSource(name="builtin", folder=Path(__file__).parent)]
