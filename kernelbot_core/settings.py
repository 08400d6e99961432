"""Settings: flag > ``KERNELBOT_*`` > ``kernelbot.toml`` (here, else in the user's configuration folder) > default."""

from __future__ import annotations

import difflib
import json
import os
import tomllib
from pathlib import Path
from typing import Annotated, Any

import msgspec
import platformdirs
from msgspec import Meta, Struct

from kernelbot_core.errors import UsageError

FILE = "kernelbot.toml"
PREFIX = "KERNELBOT_"
NEAR = 0.8
"""Likeness of two names, without what they all begin with, from which on one is taken for the other misspelt."""


def default_store() -> str:
    """URL of the embedded store of this user."""
    return f"tinydb://{platformdirs.user_data_dir('kernelbot')}"


class Settings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What an operator can set."""

    store: str = msgspec.field(default_factory=default_store)
    """URL: ``tinydb:///var/lib/kernelbot``."""
    sandbox: str = "auto"
    """Name of the sandbox backend; ``auto`` takes the strongest that works."""
    require_sandbox: bool = True
    """Refuse to judge without walls; false only where everybody judges their own code."""
    max_source: Annotated[int, Meta(gt=0)] = 1 << 20
    """Bytes of the largest source file."""


KEYS = Settings.__struct_fields__
WANTED = {
    "store": ("text", '"tinydb:///folder"'),
    "sandbox": ("text", '"auto"'),
    "require_sandbox": ("true or false", "true"),
    "max_source": ("a whole number above 0", "1048576"),
}
"""What a value has to be, in the words of TOML, and one that is."""


def load_settings(**flags: Any) -> Settings:
    """Read the settings.

    :param flags: What the command line says; None means nothing.
    :raises UsageError: An unknown key or a value of the wrong type; the message names the file or the variable.
    """
    values: dict[str, Any] = {}
    for said, found in _sources():
        for key, value in found.items():
            values[key] = _checked(said, key, value)
    return Settings(**values | {key: value for key, value in flags.items() if value is not None})


def _checked(source: str, key: str, value: Any) -> Any:
    """A value as the type of its key; text from the environment may stand for numbers and truth."""
    if key not in KEYS:
        raise UsageError(f"{source}: unknown key {key}", f"known: {', '.join(KEYS)}")
    try:
        return getattr(msgspec.convert({key: value}, Settings, strict=not source.startswith(PREFIX)), key)
    except msgspec.ValidationError:
        wanted, example = WANTED[key]
        write = f"{source}={example}" if source.startswith(PREFIX) else f"{key} = {example}"
        raise UsageError(f"{source}: {key}: must be {wanted}", f"it is {_shown(value)} now; write {write}") from None


def _shown(value: Any) -> str:
    """A value as TOML writes it, and in a word where it could be taken for another kind."""
    if isinstance(value, str):
        return f"the text {json.dumps(value, ensure_ascii=False)}"
    if isinstance(value, dict | list):
        return "a table" if isinstance(value, dict) else "a list"
    return str(value).lower() if isinstance(value, bool) else str(value)


def origin(key: str, flag: Any = None) -> str:
    """Where the value of a key comes from: ``--store``, ``KERNELBOT_STORE``, a file; empty for the default.

    :param flag: What the command line says; None means nothing.
    """
    if flag is not None:
        return f"--{key.replace('_', '-')}"
    return next((source for source, found in reversed(_sources()) if key in found), "")


def source(key: str, value: Any) -> str:
    """Who says a value that is in force: the variable or the file, else the option."""
    said = origin(key)
    return said if said and getattr(load_settings(), key) == value else origin(key, value)


def misspelt_variables() -> dict[str, str]:
    """Variables of the environment that nothing of ours reads, and the one that each of them resembles.

    Others begin with ``KERNELBOT_`` too, those of the bot and of plugins: only a near miss is told.
    """
    known = [*(key.upper() for key in KEYS), "DISABLE_PLUGINS", "TRACE_PLUGINS"]
    found = {}
    for name in sorted(name.removeprefix(PREFIX) for name in os.environ if name.startswith(PREFIX)):
        near = difflib.get_close_matches(name, [other for other in known if abs(len(other) - len(name)) < 2], 1, NEAR)
        if near and name not in known:
            found[PREFIX + name] = PREFIX + near[0]
    return found


def _sources() -> list[tuple[str, dict[str, Any]]]:
    """What says something, the strongest last."""
    return [*_from_file(), *_from_environment()]


def _from_file() -> list[tuple[str, dict[str, Any]]]:
    """The nearest file only: two of them would leave open which one a value came from."""
    for folder in (*_here(), Path(platformdirs.user_config_dir("kernelbot"))):
        path = folder / FILE
        try:
            if path.is_file():
                return [(str(path), tomllib.loads(path.read_text(encoding="utf-8")))]
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as exc:
            raise UsageError(f"{path}: {exc}", "it must be TOML in UTF-8") from None
        except OSError as exc:
            raise UsageError(f"{path}: {exc.strerror}", "make it readable") from None
    return []


def _here() -> list[Path]:
    """The current folder; nothing when it has been removed under the feet of the process."""
    try:
        return [Path.cwd()]
    except FileNotFoundError:
        return []


def _from_environment() -> list[tuple[str, dict[str, Any]]]:
    """An empty variable says nothing: that is how many tools clear one."""
    names = {PREFIX + key.upper(): key for key in KEYS}
    return [(name, {key: os.environ[name]}) for name, key in names.items() if os.environ.get(name)]
