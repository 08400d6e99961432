"""Every error a person may meet.

::

    KernelbotError
    ├── UserError            somebody outside can put it right: message + hint, no traceback
    │   ├── UsageError           wrong option, unknown problem, language or device        exit 2
    │   ├── PackError            a problem pack breaks its format                         exit 2
    │   ├── PluginError          a plugin is broken or two of them clash                  exit 2
    │   ├── RefusedError         the rules say no (size, limits, deadline)                exit 1
    │   └── InfrastructureError  the machine, not the submission                          exit 3
    └── CaseFailure          one case of a job ended badly; becomes a CaseResult, never reaches a person as an exception

Anything else is a bug and keeps its traceback.
"""

from __future__ import annotations

from typing import ClassVar


class KernelbotError(Exception):
    """Base of everything raised on purpose."""


class UserError(KernelbotError):
    """Something a person can put right.

    :param message: What is wrong and where, in one line that is fit to show.
    :param hint: What to do about it, in one line.
    """

    exit_code: ClassVar[int] = 2
    http_status: ClassVar[int] = 400

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(UserError):
    """A wrong option, or a problem, language, device, size or dtype that does not exist."""


class PackError(UserError):
    """A problem pack breaks its format; the message starts with the file and names the key."""


class PluginError(UserError):
    """A plugin cannot be loaded, or two plugins claim one name."""


class RefusedError(UserError):
    """The submission is refused before it runs: too large, too many, too late."""

    exit_code: ClassVar[int] = 1
    http_status: ClassVar[int] = 403


class InfrastructureError(UserError):
    """The machine failed, not the submission; never held against its author."""

    exit_code: ClassVar[int] = 3
    http_status: ClassVar[int] = 503


class CaseFailure(KernelbotError):  # noqa: N818 - it is a verdict, not an error of ours
    """One case ended with a verdict other than passed.

    :param status: One of :data:`kernelbot_core.model.report.Status`.
    :param reason: One line for the participant.
    """

    def __init__(self, status: str, reason: str) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason
