"""What ``kernelbot selftest`` found out about one GPU of this host, kept for the jobs that run on it."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Annotated, Literal

import msgspec
import platformdirs
from msgspec import Meta, Struct

from kernelbot_core.errors import UsageError
from kernelbot_core.interfaces.device import DeviceVendor
from kernelbot_core.model.device import DeviceInfo


class HostFile(Struct, frozen=True, kw_only=True):
    """One file per GPU, named by its UUID. Times in seconds."""

    schema: Literal["kernelbot.selftest/1"] = "kernelbot.selftest/1"
    uuid: str
    driver: str
    """It holds for this driver only."""
    label: str
    date: str
    """ISO 8601, UTC."""
    sessions: Annotated[int, Meta(ge=2)]
    s_T: Annotated[float, Meta(gt=0, lt=1e-3)]
    """Root mean square, over cells and sessions, of what the judge's clock says beyond an honest time."""
    c0: float
    """Median T of calls of nothing."""


def path_of(uuid: str) -> Path:
    """Where the file of a GPU lies, in the user's data folder."""
    return Path(platformdirs.user_data_dir("kernelbot")) / "selftest" / f"{uuid}.json"


def write_host(found: HostFile) -> Path:
    """Write it, complete or not at all.

    :raises UsageError: The folder cannot be written.
    """
    path = path_of(found.uuid)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, partial = tempfile.mkstemp(dir=path.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(msgspec.json.format(msgspec.json.encode(found)))
        Path(partial).replace(path)
    except OSError as exc:
        raise UsageError(f"{path}: {exc.strerror}", "make the folder writable") from exc
    return path


def host_s_T(vendor: DeviceVendor, device: DeviceInfo) -> tuple[float | None, str]:
    """(s_T of a device or None, where it comes from); a file that does not fit is as good as none, and is named."""
    if not device.uuid:
        return None, "default"
    path = path_of(device.uuid)
    try:
        found = msgspec.json.decode(path.read_bytes(), type=HostFile)
    except FileNotFoundError:
        return None, "default"
    except (OSError, msgspec.MsgspecError):
        return None, "default: the selftest's file cannot be read"
    driver = str(vendor.sample(device).get("driver", ""))
    if found.driver != driver:
        return None, f"default: the selftest was made with driver {found.driver}, this is {driver}"
    return found.s_T, f"selftest {found.date[:10]}"
