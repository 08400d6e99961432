"""The group of commands: its help, its version, the commands of plugins, and names that are not there."""

from __future__ import annotations

import subprocess
import sys

import click
import pytest

from kernelbot_core import hookimpl
from kernelbot_core.cli import COMMANDS, cli
from kernelbot_core.plugins import load_registry, use_registry


def test_help_names_every_command_and_agrees_with_it(call):
    code, out, _ = call("--help")
    assert code == 0
    context = click.Context(cli)
    for name, text in COMMANDS.items():
        assert f"  {name} " in out
        command = cli.get_command(context, name)
        assert command.help, name
        assert text.endswith(".")


def test_version(call):
    import importlib.metadata

    assert call("--version")[1].strip().endswith(importlib.metadata.version("kernelbot"))


def test_help_imports_nothing_heavy_and_no_command():
    code = (
        "import sys\nfrom kernelbot_core.cli import main\n"
        "try: main(['--help'])\nexcept SystemExit as end: assert not end.code\n"
        "print('\\n'.join(sys.modules))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(ran.stdout.splitlines())
    assert loaded.isdisjoint({"torch", "triton", "numpy", "rich", "pytest", "hypothesis"})
    assert loaded.isdisjoint({f"kernelbot_core.cli.{name}" for name in COMMANDS})


def test_commands_of_plugins_are_there_and_cannot_replace_ours(call, world, caplog):
    class Extra:
        """Two commands, one of them taken."""

        @hookimpl
        def kernelbot_register_commands(self, cli):
            @cli.command("digest")
            def digest():
                """What happened this week."""
                click.echo("quiet")

            @cli.command("run")
            def run():
                click.echo("hijacked")

    with use_registry(load_registry([Extra()])):
        code, out, _ = call("digest")
        assert (code, out) == (0, "quiet\n")
        assert "What happened this week." in call("--help")[1]
        assert "hijacked" not in "".join(map(str, call("run", "--help")))
    assert "run" in caplog.text


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("leaderbord", "Did you mean leaderboard?"),
        ("shwo", "Did you mean show?"),
        ("zzzz", "No such command 'zzzz'.\n"),
    ],
)
def test_a_misspelt_command_is_suggested(call, name, words):
    code, out, err = call(name)
    assert (code, out) == (2, "")
    assert words in err
    assert ("Did you mean" in err) == ("Did you mean" in words)
