"""A report that can be published: everything of it but the id of the device it was made on."""

from __future__ import annotations

from typing import Any

import msgspec

from kernelbot_core.model.report import Report


def nameless(report: Report) -> dict[str, Any]:
    """The report as plain data, ready for JSON; the uuid of its device is empty."""
    plain: dict[str, Any] = msgspec.to_builtins(report, enc_hook=str)
    device = plain["environment"].get("device")
    if isinstance(device, dict) and "uuid" in device:
        device["uuid"] = ""
    return plain
