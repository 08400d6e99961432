"""Settings: flag > ``KERNELBOT_*`` > ``kernelbot.toml`` (here, then in the user's configuration folder) > default."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Any

import msgspec
import platformdirs
from msgspec import Struct

from kernelbot_core.errors import UsageError

FILE = "kernelbot.toml"
PREFIX = "KERNELBOT_"


def default_store() -> str:
    """URL of the embedded store of this user."""
    return f"tinydb://{platformdirs.user_data_dir('kernelbot')}"


class Settings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What an operator can set."""

    store: str = msgspec.field(default_factory=default_store)
    """URL: ``tinydb:///var/lib/kernelbot``."""
    sandbox: str = "auto"
    """Name of the sandbox backend; ``auto`` takes the strongest that works."""
    require_sandbox: bool = False
    """Refuse to judge with plain processes."""
    max_source: int = 1 << 20
    """Bytes of the largest source file."""


def load_settings(**flags: Any) -> Settings:
    """Read the settings.

    :param flags: What the command line says; None means nothing.
    :raises UsageError: An unknown key or a value of the wrong type; the message names the file or the variable.
    """
    values, where = _from_file()
    names = Settings.__struct_fields__
    for name in names:
        text = os.environ.get(PREFIX + name.upper())
        if text is not None:
            values[name] = text
            where[name] = PREFIX + name.upper()
    values |= {name: value for name, value in flags.items() if value is not None}
    try:
        return msgspec.convert(values, Settings, strict=False)
    except msgspec.ValidationError as exc:
        what, _, key = str(exc).partition(" - at `$.")
        name = key.rstrip("`")
        unknown = "" if name else f" (known: {', '.join(names)})"
        raise UsageError(f"{where.get(name, where.get('', 'settings'))}: {name} {what}".replace(":  ", ": "),
                         f"see docs/reference/cli.md{unknown}") from None  # fmt: skip


def _from_file() -> tuple[dict[str, Any], dict[str, str]]:
    for folder in (Path.cwd(), Path(platformdirs.user_config_dir("kernelbot"))):
        path = folder / FILE
        if path.is_file():
            try:
                values = tomllib.loads(path.read_text())
            except (tomllib.TOMLDecodeError, UnicodeDecodeError) as exc:
                raise UsageError(f"{path}: {exc}", "it must be TOML in UTF-8") from None
            return values, dict.fromkeys(values, str(path)) | {"": str(path)}
    return {}, {}
