"""A job while it waits, runs and has run; and the rules that say who may send one."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from kernelbot_core.model.report import Status
from kernelbot_core.model.submission import Mode

State = Literal["queued", "running", "recording", "done", "cancelled", "failed"]
"""``recording``: the verdict is safe and on its way to the store. ``failed``: no verdict, and none will come."""
Flow = Literal["open", "paused", "draining"]
"""``paused``: takes jobs, starts none. ``draining``: runs what it has, takes none."""
Release = int | Literal["first", "never"]
"""When code becomes public: so many days after submission, while it holds first place only, or never."""
LIVE: tuple[State, ...] = ("queued", "running", "recording")
"""States that something still follows."""


class Ticket(Struct, frozen=True, kw_only=True):
    """A job in the queue, without its source. Times are seconds since 1970, UTC."""

    id: str
    account: str
    """Whose limit and turn it is; a front-end's own stable id, such as ``discord:1234``."""
    user: str
    """Name on the board."""
    guild: str
    """Where it came from; empty for none."""
    problem: str
    device: str
    language: str
    filename: str
    source: str
    """sha256 of the source text, the key of the archive."""
    mode: Mode
    priority: int
    """Higher ones go first."""
    state: State
    attempt: int
    """How often it was started; an attempt that is not the latest has no say any more."""
    faults: int
    """How many of the attempts the machine lost; not held against the account."""
    counted: bool
    """Whether it counts against the account's limit."""
    cancelling: bool
    """Somebody wants a running job to end."""
    created: float
    started: float | None
    """Of the latest attempt."""
    finished: float | None
    status: Status | None
    """Verdict; None as long as there is none."""
    reason: str
    origin: str
    """Id of the job that this one repeats; empty for a new one."""
    note: str
    """The front-end's own, such as where its message stands; nobody else reads it."""
    told: bool
    """Whether a front-end has shown the end to its author."""

    @property
    def live(self) -> bool:
        """Whether something still follows."""
        return self.state in LIVE


class Wait(Struct, frozen=True, kw_only=True):
    """Where a job stands in the queue of its device. Seconds from now."""

    position: int
    """1 is the next to start; 0 when it does not wait."""
    of: int
    """Jobs that wait for the device."""
    starts_in: float | None
    """Estimated from recent jobs; None while the device is paused."""
    ends_in: float | None


class Lane(Struct, frozen=True, kw_only=True):
    """The queue of one device."""

    device: str
    flow: Flow
    reason: str
    waiting: int
    running: str | None
    """Id of the job that runs."""


class BoardRules(Struct, frozen=True, kw_only=True):
    """What maintainers have said about a problem, beyond its pack."""

    problem: str
    deadline: float | None = None
    """Last moment for ranked jobs; seconds since 1970."""
    private: bool = False
    """Only members submit and see."""
    release: Release | None = None
    """None: as the pack says."""


class Ban(Struct, frozen=True, kw_only=True):
    """An account whose jobs are refused."""

    account: str
    reason: str
    until: float | None
    """Seconds since 1970; None: for good."""


class Quota(Struct, frozen=True, kw_only=True):
    """What an account may send to a problem."""

    per_hour: int
    opens: float | None
    """When the next job is taken, seconds since 1970; None: now."""


class Act(Struct, frozen=True, kw_only=True):
    """One line of the audit log."""

    id: int
    at: float
    actor: str
    act: str
    target: str
    detail: str
