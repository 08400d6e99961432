"""Settings: where they come from, and one line for each mistake, without the secret."""

from __future__ import annotations

from pathlib import Path

import pytest

from kernelbot_bot.settings import BotSettings, load, token
from kernelbot_core.errors import UsageError

SECRET = "secret-secret-secret"


@pytest.fixture(autouse=True)
def clean(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)


def test_the_environment_wins_over_the_file(tmp_path, monkeypatch):
    file = tmp_path / "bot.toml"
    file.write_text('guilds = [1]\nadmin_roles = ["Boss"]\n')
    monkeypatch.setenv("KERNELBOT_BOT_GUILDS", "[2, 3]")
    found = load(file)
    assert (found.guilds, found.admin_roles) == ([2, 3], ["Boss"])
    assert found.trusted_guilds == [2, 3]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('tokn = "x"', "tokn: there is no such key"),
        ("guilds = 1.5", "guilds"),
        ("edit_every_s = -1", "edit_every_s"),
        ('api = "http://example.org"', "api: must be on this machine"),
        ('log_level = "LOUD"', "log_level: must be"),
        ("[", "bot.toml"),
    ],
)
def test_a_mistake_in_the_file_is_named(tmp_path, text, said):
    file = tmp_path / "bot.toml"
    file.write_text(f'token = "{SECRET}"\n{text}\n')
    with pytest.raises(UsageError) as raised:
        load(file)
    assert said in raised.value.message
    assert SECRET not in raised.value.message + raised.value.hint


def test_a_list_that_is_no_json_is_named(monkeypatch):
    monkeypatch.setenv("KERNELBOT_BOT_GUILDS", "1, 2")
    with pytest.raises(UsageError, match="KERNELBOT_BOT_GUILDS: not a list"):
        load()


def test_one_server_needs_no_brackets(tmp_path, monkeypatch):
    monkeypatch.setenv("KERNELBOT_BOT_GUILDS", "123456789012345678")
    (tmp_path / "bot.toml").write_text('admin_roles = "Boss"\n')
    found = load(tmp_path / "bot.toml")
    assert (found.guilds, found.admin_roles) == ([123456789012345678], ["Boss"])


def test_a_misspelt_variable_is_named_with_the_one_that_was_meant(monkeypatch):
    monkeypatch.setenv("KERNELBOT_BOT_EDIT_EVERY", "2")
    with pytest.raises(UsageError, match="KERNELBOT_BOT_EDIT_EVERY: there is no such setting") as raised:
        load()
    assert raised.value.hint == "did you mean edit_every_s?"


def test_the_token_comes_from_a_file_too_and_is_never_shown(tmp_path):
    (tmp_path / "token").write_text(f"{SECRET}\n")
    assert token(BotSettings(token_file=tmp_path / "token")) == SECRET
    assert SECRET not in repr(BotSettings(token=SECRET))
    with pytest.raises(UsageError, match="cannot be read"):
        token(BotSettings(token_file=tmp_path / "none"))
    with pytest.raises(UsageError, match="more than one word"):
        token(BotSettings(token="a b"))


def test_every_setting_is_documented():
    text = (Path(__file__).parents[3] / "docs/how-to/discord-bot.md").read_text()
    rows = {
        name.strip("` ")
        for line in text.splitlines()
        if line.startswith("| `")
        for name in line.split("|")[1].split(",")
    }
    assert set(BotSettings.model_fields) <= rows
