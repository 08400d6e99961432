"""What the process sees and may do, as options of bubblewrap."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from kernelbot_core import Mount, SandboxLimits
from kernelbot_sandbox_bwrap._mode import Mode

SYSTEM = ("/usr", "/etc/ld.so.cache", "/etc/alternatives")
HIDDEN = ("/usr/local/etc",)
"""Settings of the machine among its programs: package managers keep logins there."""
LINKS = ("lib", "lib32", "lib64", "bin", "sbin")
PROCESSOR = ("/sys/devices/system/cpu", "/sys/devices/system/node")
FOR_DEVICES = ("/sys/devices/system", "/sys/bus/pci", "/sys/module/nvidia", "/sys/module/nvidia_uvm", "/usr/lib/wsl")
"""What drivers look at, where it is there."""
SMALL = 256 << 20
"""Bytes of /tmp and /dev/shm; torch's data loaders want more than 64 MiB there."""
ALWAYS = (
    "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try", "--die-with-parent",
    "--new-session", "--hostname", "box", "--clearenv",
)  # fmt: skip
TO_CHANGE_USER = ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP")


def options(
    mode: Mode,
    known: frozenset[str],
    *,
    env: Mapping[str, str],
    folder: str,
    mounts: Sequence[Mount],
    limits: SandboxLimits,
    seccomp: int,
) -> list[str]:
    """Everything but the command. They are given through a descriptor, so that no path shows in a command line.

    :param known: Options that this bubblewrap has.
    :param seccomp: Descriptor of the filter.
    """
    asked = _outermost([*_there(SYSTEM), *(m.path for m in mounts if not m.device)])
    found = [*ALWAYS, *_rights(mode, known)]
    for name, value in env.items():
        found += ["--setenv", name, _search_path(value, asked) if name == "PATH" else value]
    # CUDA writes thread names to /proc: with a read-only one, or none, cuInit fails with 304.
    found += ["--proc", "/proc", "--dev", "/dev"]
    # Before the mounts: an environment may lie below /tmp.
    found += [*_memory("/dev/shm", min(SMALL, limits.disk)), *_memory("/tmp", min(SMALL, limits.disk))]
    places = [*(inner for place in asked for inner in _opened(mode, place)), *_there(PROCESSOR)]
    found += _parents([*places, folder])
    for place in places:
        found += ["--ro-bind", place, place]
    found += _links()
    for place in _there(HIDDEN):
        found += ["--perms", "0755", "--tmpfs", place, "--remount-ro", place]
    for mount in mounts:
        if mount.device:
            found += ["--dev-bind", mount.path, mount.path]
    if any(mount.device for mount in mounts):
        for place in FOR_DEVICES:
            found += ["--ro-bind-try", place, place]
    found += _memory(folder, limits.disk)
    return [*found, "--chdir", folder, "--remount-ro", "/dev", "--remount-ro", "/", "--seccomp", str(seccomp)]


def groups(mounts: Sequence[Mount]) -> list[int]:
    """Groups that a process needs for device nodes which not everybody may open."""
    found = set()
    for mount in mounts:
        if mount.device:
            node = Path(mount.path).stat()
            if node.st_mode & 0o006 != 0o006 and stat.S_IMODE(node.st_mode) & 0o060 == 0o060:
                found.add(node.st_gid)
    return sorted(found)


def _rights(mode: Mode, known: frozenset[str]) -> list[str]:
    if mode == "root":  # setpriv gives these up, inside, when it becomes a user of the pool
        return ["--cap-drop", "ALL", *(word for name in TO_CHANGE_USER for word in ("--cap-add", name))]
    found = ["--unshare-user", "--uid", "1000", "--gid", "1000", "--cap-drop", "ALL"]
    return [*found, "--disable-userns"] if "--disable-userns" in known else found


def _memory(place: str, size: int) -> list[str]:
    return ["--perms", "1777", "--size", str(size), "--tmpfs", place]


def _there(places: Iterable[str]) -> list[str]:
    return [place for place in places if Path(place).exists()]


def _outermost(places: Iterable[str]) -> list[str]:
    """Without those that lie in another of them."""
    kept: list[str] = []
    for place in sorted({os.path.normpath(place) for place in places}):
        if not any(place.startswith(f"{outer}/") for outer in kept):
            kept.append(place)
    return kept


def _search_path(value: str, places: Sequence[str]) -> str:
    """Without folders that are not there inside: they would find nothing, and tell how the machine is laid out."""
    seen = [*places, *(f"/{name}" for name in LINKS)]
    folders = [os.path.normpath(folder) for folder in value.split(os.pathsep) if folder.startswith("/")]
    return os.pathsep.join(f for f in dict.fromkeys(folders) if any(f"{f}/".startswith(f"{place}/") for place in seen))


def _opened(mode: Mode, place: str) -> list[str]:
    """The place, or what lies in it, where it is a folder for its owner only and the process is somebody else.

    A folder of the sandbox then stands in its stead. What lies in it keeps its rights.
    """
    folder = Path(place)
    if mode == "user" or not folder.is_dir() or folder.stat().st_mode & 0o005 == 0o005:
        return [place]
    return sorted(str(path) for path in folder.iterdir() if path.is_file() or path.is_dir()) or [place]


def _parents(places: Iterable[str]) -> list[str]:
    """Folders above the places: left to itself bubblewrap makes them for its own user only."""
    found: list[str] = []
    above = {str(parent) for place in places for parent in Path(place).parents}
    for parent in sorted(above - {"/", "/tmp", "/dev", "/proc"}):
        found += ["--perms", "0755", "--dir", parent]
    return found


def _links() -> list[str]:
    """``/lib -> usr/lib`` and its like, as the host has them."""
    found: list[str] = []
    for name in LINKS:
        path = Path("/", name)
        if path.is_symlink():
            found += ["--symlink", str(path.readlink()), str(path)]
        elif path.is_dir():
            found += ["--ro-bind", str(path), str(path)]
    return found
