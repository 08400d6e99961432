"""The report: everything one job leaves behind, versioned and validated on load. All times are seconds."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct, field

from kernelbot_core.model.plan import Kind
from kernelbot_core.model.submission import Mode

SCHEMA = "kernelbot.report/1"
PROTOCOL = 1
"""Version of the clock protocol; boards never mix versions."""

Status = Literal[
    "passed",
    "build_failed",
    "crashed",
    "timeout",
    "out_of_memory",
    "wrong",
    "protocol",
    "slow",
    "not_attested",
    "refused",
    "not_run",
    "cancelled",
    "infrastructure",
]
CaseStatus = Literal["passed", "failed", "skipped", "not_reached"]
Seconds = Annotated[float, Meta(gt=0)]

STATUS_TEXT: dict[str, str] = {
    "passed": "every case passed",
    "build_failed": "the submission does not build",
    "crashed": "the submission's process ended or raised",
    "timeout": "no answer within the limit",
    "out_of_memory": "more memory than the limit",
    "wrong": "an output is wrong",
    "protocol": "the submission's process spoke out of turn",
    "slow": "one call takes longer than the limit",
    "not_attested": "the reported time is not supported by the judge's clock",
    "refused": "refused before it ran",
    "not_run": "nothing could be run on this machine",
    "cancelled": "cancelled",
    "infrastructure": "the machine failed; not held against the submission",
}


class _Part(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Part of a report."""


class CaseError(_Part, frozen=True, kw_only=True):
    """The worst element of a case that failed, or the smallest input that fails."""

    message: str
    index: list[int] | None = None
    """Place in the output."""
    output: str | None = None
    expected: str | None = None
    got: str | None = None
    fraction: float | None = None
    """Worst error as a fraction of what is allowed; above 1 is wrong, null when not finite."""
    example: str | None = None
    """The smallest failing input of a property, as text."""
    text: str = ""
    """Traceback or compiler text of the participant's own code, length-capped."""


class Stats(_Part, frozen=True, kw_only=True):
    """Statistics of the ranked clock over the measured calls of one cell, seconds."""

    n: int
    median: Seconds
    mean: Seconds
    std: Annotated[float, Meta(ge=0)]
    min: Seconds
    p50: Seconds
    p99: Seconds
    ci95: tuple[Seconds, Seconds]
    """Order-statistics interval of the median, distribution-free."""
    resolution: Annotated[float, Meta(ge=0)]
    """Smallest relative difference this cell can tell."""


class Throughput(_Part, frozen=True, kw_only=True):
    """Work of the cell over the median time."""

    bytes_per_s: float
    flops_per_s: float
    peak_fraction: float | None = None
    """Of the device's measured copy peak or its arithmetic peak, whichever is nearer."""
    speedup: float | None = None
    """Baseline's time over this time, both from the same interleaved run."""


class Samples(_Part, frozen=True, kw_only=True):
    """Every sample of a bench case in the order taken, seconds."""

    E: list[float] = []
    """The worker's own clock: precise, forgeable."""
    T: list[float] = []
    """The judge's clock: from the reveal to the judge's own copy of the output."""
    T_null: list[float] = []
    """The same for calls of nothing: what the harness itself costs."""
    E_ref: list[float] = []
    T_ref: list[float] = []
    order: str = ""
    """S, R, 0 for submission, baseline, null, in the order of the calls."""


class CaseResult(_Part, frozen=True, kw_only=True):
    """What became of one case of the manifest."""

    id: str
    kind: Kind | Literal["extra"]
    status: CaseStatus
    size: str | None = None
    dtype: str | None = None
    dims: dict[str, int] = {}
    reason: str = ""
    verdict: Status | None = None
    """The status this case gives the whole report when it failed."""
    fraction: float | None = None
    """Worst error over the calls of the case, as a fraction of what is allowed."""
    max_diff: float | None = None
    """Largest absolute difference seen."""
    calls: int = 0
    error: CaseError | None = None
    stats: Stats | None = None
    throughput: Throughput | None = None
    samples: Samples | None = None
    first_call: float | None = None
    """Seconds of the first, untimed call of the cell: JIT, autotuning, lazy loading."""
    notes: list[str] = []


class Seeds(_Part, frozen=True, kw_only=True):
    """Seeds of the inputs."""

    public: int
    secret: str | None = None
    """Hex of the job's secret seed, revealed when the job has finished; null in test and benchmark mode."""


class BuildInfo(_Part, frozen=True, kw_only=True):
    """What the builder said."""

    seconds: float = 0.0
    text: str = ""
    """Compiler text, length-capped, on the participant's own lines."""


class Output(_Part, frozen=True, kw_only=True):
    """What the submission printed, length-capped."""

    text: str = ""
    truncated: bool = False


class Report(_Part, frozen=True, kw_only=True):
    """The whole result of one job; a failing job has one too."""

    schema: Literal["kernelbot.report/1"] = "kernelbot.report/1"
    id: str
    mode: Mode
    status: Status
    reason: str
    attested: bool = False
    problem: str
    problem_version: str
    protocol: int = PROTOCOL
    harness: str
    """Version of kernelbot."""
    language: str
    user: str = ""
    filename: str = ""
    device: str
    gpu: str
    """Label of the board: ``H200``, ``cpu``."""
    sandbox: str
    guarantees: list[str] = []
    seed: Seeds
    source: str
    """sha256 of the source text."""
    artifact: str = ""
    """sha256 over the built files; empty when nothing was built."""
    returns_value: bool = False
    """solve() returned its outputs; the copy into the shared buffer lies inside the timed window."""
    cases: list[CaseResult]
    score: Seconds | None = None
    """Geometric mean of the ranked sizes of the board's dtype; null unless passed."""
    scores: dict[str, Seconds] = {}
    """Dtype label -> the same for each dtype."""
    baseline: dict[str, Seconds] = {}
    """Dtype label -> geometric mean of the baseline's times in the same run."""
    build: BuildInfo = field(default_factory=BuildInfo)
    output: Output = field(default_factory=Output)
    environment: dict[str, Any] = {}
    """Device, driver, versions, clocks before and after: whatever is needed to judge the numbers later."""
    timings: dict[str, float] = {}
    """Phase -> seconds."""
    started: str = ""
    """ISO 8601, UTC."""


def unreached(case_id: str, kind: str, reason: str = "") -> CaseResult:
    """A case that nobody came to."""
    return CaseResult(id=case_id, kind=kind, status="not_reached", reason=reason)  # type: ignore[arg-type]


def load(data: bytes | str) -> Report:
    """Read a report and check it against the schema.

    :raises msgspec.ValidationError: When it does not fit, or is of another schema version.
    """
    return msgspec.json.decode(data, type=Report)


def dump(report: Report) -> bytes:
    """Write a report as JSON; non-finite numbers cannot occur (``null`` stands for them)."""
    return msgspec.json.encode(report, enc_hook=str)  # a version object of some library must not cost the report


def schema() -> dict[str, Any]:
    """JSON schema of the report, generated from the model."""
    return msgspec.json.schema(Report)


def schema_file() -> Path:
    """The committed copy of :func:`schema`."""
    return Path(__file__).with_name("report.schema.json")
