"""Files that leave a sandbox: no tar, because a parser of hostile archives should know nothing of links and devices."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

MAX_FILES = 4096
MAX_NAME = 1024
"""Characters of a path relative to the folder."""


class BundleFile(Struct, frozen=True, kw_only=True):
    """One regular file."""

    name: Annotated[str, Meta(min_length=1, max_length=MAX_NAME)]
    """Path with ``/``, relative to the folder."""
    data: memoryview


class Bundle(Struct, frozen=True, kw_only=True):
    """Files of one folder; what is no regular file does not exist here."""

    files: Annotated[list[BundleFile], Meta(max_length=MAX_FILES)]
