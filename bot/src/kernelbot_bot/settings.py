"""Settings of the bot: ``KERNELBOT_BOT_*`` in the environment, then a TOML file, then defaults."""

from __future__ import annotations

import difflib
import ipaddress
import os
import tomllib
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

import platformdirs
from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict, SettingsError

from kernelbot_core.errors import UsageError

PREFIX = "KERNELBOT_BOT_"


class BotSettings(BaseSettings):
    """What an operator can set; lists are JSON in the environment: ``KERNELBOT_BOT_GUILDS='[1, 2]'``."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, extra="forbid", frozen=True, hide_input_in_errors=True)

    token: SecretStr = SecretStr("")
    """The bot's token."""
    token_file: Path | None = None
    """Or a file that holds it, such as a systemd credential."""
    guilds: list[int] = []
    """Servers that get the commands; empty: all of them, which takes Discord up to an hour to show."""
    admin_guilds: list[int] = []
    """Servers whose roles count for admin commands, because a queue is shared by all servers; default: ``guilds``."""
    admin_roles: list[str] = ["Kernelbot Admin"]
    """Names or ids of roles that may use /admin."""
    maintainer_roles: list[str] = ["Kernelbot Maintainer"]
    """Names or ids of roles that may propose problems from a URL and review them."""
    state: Path = Field(default_factory=lambda: Path(platformdirs.user_data_dir("kernelbot")) / "bot.sqlite")
    """Which message shows which job; the queue and the store are the engine's."""
    packs: Path = Field(default_factory=lambda: Path(platformdirs.user_data_dir("kernelbot")) / "packs")
    """Where approved problem packs go."""
    edit_every_s: Annotated[float, Field(ge=0.0, le=60.0)] = 1.5
    """Seconds between two edits of one status message; Discord allows 5 in 5 s for a channel."""
    drain_s: Annotated[float, Field(ge=0.0, le=3600.0)] = 90.0
    """Seconds that running jobs get after SIGTERM; what is queued stays queued."""
    board_every_s: Annotated[float, Field(ge=0.0)] = 30.0
    """Seconds between two edits of one pinned board."""
    digest_weekday: Annotated[int, Field(ge=0, le=6)] = 0
    """Day of the weekly digest, Monday is 0."""
    digest_hour: Annotated[int, Field(ge=0, le=23)] = 9
    """Hour of the weekly digest, UTC."""
    log_level: str = "INFO"
    api: str = ""
    """Base URL of something else that speaks Discord's protocol, for tests; on this machine only."""

    @field_validator("guilds", "admin_guilds", "admin_roles", "maintainer_roles", mode="before")
    @classmethod
    def _listed(cls, value: object) -> object:
        """One thing is a list of one."""
        return [value] if isinstance(value, int | str) else value

    @field_validator("api")
    @classmethod
    def _loopback(cls, value: str) -> str:
        """The token must never go to a stranger because of a setting."""
        host = urlsplit(value).hostname or ""
        try:
            here = host == "localhost" or ipaddress.ip_address(host).is_loopback
        except ValueError:
            here = False
        if value and not here:
            raise ValueError("must be on this machine (127.0.0.1)")
        return value

    @field_validator("log_level")
    @classmethod
    def _level(cls, value: str) -> str:
        if value.upper() not in {"DEBUG", "INFO", "WARNING", "ERROR"}:
            raise ValueError("must be DEBUG, INFO, WARNING or ERROR")
        return value.upper()

    @property
    def trusted_guilds(self) -> list[int]:
        """Servers whose roles count."""
        return self.admin_guilds or self.guilds

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],  # noqa: ARG003 - pydantic's signature
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - the same
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - the same
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """The environment wins over the file."""
        return env_settings, init_settings


def load(file: Path | None = None) -> BotSettings:
    """Read the settings.

    :raises UsageError: A value is wrong; the line names it and never shows it, since it may be a secret.
    """
    _check_names()
    try:
        return BotSettings(**(_read(file) if file else {}))
    except ValidationError as exc:
        raise _named(exc.errors(include_input=False, include_url=False)[0], file) from None
    except SettingsError as exc:  # a list in the environment that is no JSON
        key = next((key for key in BotSettings.model_fields if f'"{key}"' in str(exc)), "?")
        what = f"{PREFIX}{key.upper()}: not a list"
        raise UsageError(f"bot settings: {what}", """lists are JSON: '[123, 456]', '["Boss"]'""") from None


def _named(error: ErrorDetails, file: Path | None) -> UsageError:
    """The line for one wrong key."""
    key = str(error["loc"][0]) if error["loc"] else "?"
    if error["type"] == "extra_forbidden":
        return UsageError(f"bot settings: {file}: {key}: there is no such key", _near(key))
    variable = f"{PREFIX}{key.upper()}"
    where = variable if variable in os.environ else f"{file}: {key}" if file else key
    return UsageError(f"bot settings: {where}: {error['msg'].removeprefix('Value error, ')}", "give another value")


def _check_names() -> None:
    """A misspelt variable would be a setting that silently does nothing."""
    for variable in sorted(os.environ):
        key = variable.removeprefix(PREFIX).lower()
        if variable.startswith(PREFIX) and key not in BotSettings.model_fields:
            raise UsageError(f"bot settings: {variable}: there is no such setting", _near(key))


def _near(key: str) -> str:
    near = difflib.get_close_matches(key, BotSettings.model_fields, 1)
    return f"did you mean {near[0]}?" if near else f"there are {', '.join(BotSettings.model_fields)}"


def _read(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as exc:
        raise UsageError(f"{file}: {exc.strerror}", "give a TOML file that can be read") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as exc:
        raise UsageError(f"{file}: {exc}", "it must be TOML in UTF-8") from None


def token(settings: BotSettings) -> str:
    """The token, from wherever it is.

    :raises UsageError: There is none.
    """
    found = settings.token.get_secret_value().strip()
    if not found and settings.token_file is not None:
        try:
            found = settings.token_file.read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError):
            raise UsageError(f"{settings.token_file}: the token cannot be read", "check path and rights") from None
    if not found or any(c.isspace() for c in found):
        what = "more than one word where the token should be" if found else "there is no token"
        raise UsageError(f"the bot cannot start: {what}", f"set {PREFIX}TOKEN or {PREFIX}TOKEN_FILE")
    return found
