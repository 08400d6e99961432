"""A proposed pack from a zip or a repository to a folder: regular files of sane names and sizes, nothing else."""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from urllib.parse import urlsplit

from kernelbot_bot import plain
from kernelbot_core.errors import InfrastructureError, RefusedError, UsageError

LARGEST_ZIP = 4 << 20
LARGEST = 16 << 20
"""Bytes of all files together."""
MOST = 400
"""Files."""
CLONE_S = 120.0
PROTOCOLS = "https"
"""What git may speak."""
_NAME = re.compile(r"^[a-z][a-z0-9_]{0,31}$")
_PART = re.compile(r"^[A-Za-z0-9_][A-Za-z0-9_.-]{0,100}$")


def unzip(data: bytes, fallback: str, target: Path) -> str:
    """Unpack a zip that holds one pack, at its root or in one folder.

    :param fallback: Name of the pack when problem.toml stands at the root.
    :param target: Folder that gets a folder of the pack's name.
    :returns: The name.
    :raises UserError: It is no zip, no pack, or holds what a pack does not.
    """
    with tempfile.TemporaryFile() as file:
        file.write(data)
        try:
            with zipfile.ZipFile(file) as archive:
                return _unpack(archive, fallback, target)
        # What zipfile raises for a broken file, an unknown compression, a password, and a file that ends too soon.
        except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError) as exc:
            raise UsageError(f"the zip cannot be read: {exc}", "send a plain zip of the pack's folder") from None


def clone(url: str, folder: str, target: Path) -> str:
    """Fetch a repository and take one pack out of it.

    :param url: ``https://...``; a maintainer has given it.
    :param folder: The pack inside the repository; empty: the repository is the pack.
    :raises UserError: It cannot be fetched, or holds no pack there.
    """
    parts = urlsplit(url)
    if parts.scheme != PROTOCOLS or parts.username or parts.password or (PROTOCOLS == "https" and not parts.hostname):
        raise UsageError(
            f"{url}: only {PROTOCOLS} addresses without a login are fetched", "give https://host/owner/name"
        )
    inside = PurePosixPath(folder)
    if inside.is_absolute() or not all(_PART.match(part) for part in inside.parts):
        raise UsageError(f"{folder}: is no folder of a repository", "give it as packs/my_problem")
    with tempfile.TemporaryDirectory(prefix="kernelbot-clone-") as work:
        here = Path(work) / "repository"
        _git(url, here)
        source = here / inside
        if source.is_symlink() or not (source / "problem.toml").is_file():
            raise UsageError(
                f"there is no problem.toml in {folder or 'the repository'}", "give folder: the pack's folder"
            )
        name = _named(inside.name or PurePosixPath(parts.path).stem)
        _copy(source, _fresh(target / name))
        return name


def _git(url: str, here: Path) -> None:
    """Only what this fetch needs: no prompt, no hook, no link, no other protocol, no settings of the user."""
    settings = ("protocol.allow=never", f"protocol.{PROTOCOLS}.allow=always", "core.symlinks=false")
    command = ["git", *(word for setting in settings for word in ("-c", setting)), "clone", "--quiet", "--depth=1"]
    command += ["--single-branch", "--no-tags", "--template=", "--", url, str(here)]
    env = {
        "PATH": os.environ.get("PATH", "/usr/bin:/bin"), "HOME": str(here.parent), "GIT_TERMINAL_PROMPT": "0",
        "GIT_CONFIG_NOSYSTEM": "1", "GIT_LFS_SKIP_SMUDGE": "1",
    }  # fmt: skip
    try:
        ran = subprocess.run(command, env=env, capture_output=True, text=True, timeout=CLONE_S, check=False)
    except FileNotFoundError:
        raise InfrastructureError("there is no git here", "install git, or send the pack as a zip") from None
    except subprocess.TimeoutExpired:
        raise InfrastructureError(f"{url} took more than {CLONE_S:.0f} s", "send the pack as a zip") from None
    if ran.returncode:
        last = (ran.stderr.strip().splitlines() or ["git says nothing"])[-1]
        raise UsageError(f"{url} cannot be fetched: {last}", "check the address")


def _unpack(archive: zipfile.ZipFile, fallback: str, target: Path) -> str:
    files = [info for info in archive.infolist() if not info.is_dir() and not info.filename.startswith("__MACOSX/")]
    if len(files) > MOST or sum(info.file_size for info in files) > LARGEST:
        raise RefusedError(f"the zip holds more than {MOST} files or {LARGEST >> 20} MiB", "send the pack alone")
    for info in files:
        _check_member(info)
    heads = [
        PurePosixPath(info.filename).parent for info in files if PurePosixPath(info.filename).name == "problem.toml"
    ]
    if len(heads) != 1 or len(heads[0].parts) > 1:
        raise UsageError("the zip must hold one problem.toml, at its root or in one folder", "zip the pack's folder")
    name = _named(heads[0].name or fallback)
    home = _fresh(target / name)
    for info in files:
        path = PurePosixPath(info.filename)
        if path.is_relative_to(heads[0]):
            place = home / path.relative_to(heads[0])
            place.parent.mkdir(parents=True, exist_ok=True)
            with archive.open(info) as source:
                place.write_bytes(source.read(info.file_size))
    return name


def _check_member(info: zipfile.ZipInfo) -> None:
    path, kind = PurePosixPath(info.filename), stat.S_IFMT(info.external_attr >> 16)
    strange = path.is_absolute() or not all(_PART.match(part) for part in path.parts)
    if strange or kind not in (0, stat.S_IFREG) or info.flag_bits & 1:
        raise RefusedError(f"the zip holds {plain.cell(info.filename, 60)}", "a pack is regular files with plain names")


def _copy(source: Path, target: Path) -> None:
    files = list(_regular(source))
    if len(files) > MOST or sum(path.lstat().st_size for path in files) > LARGEST:
        raise RefusedError(f"the pack holds more than {MOST} files or {LARGEST >> 20} MiB", "a pack is a small folder")
    for path in files:
        place = target / path.relative_to(source)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, place, follow_symlinks=False)


def _regular(folder: Path) -> Iterator[Path]:
    for where, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != ".git" and _PART.match(name)]
        for name in names:
            path = Path(where) / name
            if _PART.match(name) and stat.S_ISREG(path.lstat().st_mode):
                yield path


def _named(name: str) -> str:
    if not _NAME.match(name):
        raise UsageError(f"{plain.cell(name, 60)} is no name for a problem", "small letters, digits and _; at most 32")
    return name


def _fresh(folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder
