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
    """Smallest relative difference this cell can tell: half the interval, the clock's tick, and with several processes
    the 95 % half-width of the mean over them; the largest of these."""


class Throughput(_Part, frozen=True, kw_only=True):
    """Work of the cell over the median time."""

    bytes_per_s: float
    flops_per_s: float
    peak_fraction: float | None = None
    """Of the datasheet's bandwidth or arithmetic, whichever is nearer; of the measured copy where there is neither."""
    bandwidth_of_datasheet: float | None = None
    bandwidth_of_copy: float | None = None
    """Of the fastest plain copy that the judge measured in the same run."""
    arithmetic_of_datasheet: float | None = None
    """Of the device's peak for the first dtype of the cell."""
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
    """S, R, 0, C for submission, baseline, null, control, in the order of the calls; s and r for quiet ones."""
    E_control: list[float] = []
    """Calls of nothing that take about as long as the submission's, in the baseline's process."""
    T_control: list[float] = []
    T_quiet: list[float] = []
    """The judge's clock for calls of the submission that its process takes no time of."""
    T_quiet_ref: list[float] = []
    """The same of the baseline, or of stand-ins in its process where it takes too long: E_ref is not theirs."""
    reveal: list[float] = []
    """Writing the inputs and flushing the caches before each of the submission's calls, by the device's own clock."""
    reveal_ref: list[float] = []


class Attestation(_Part, frozen=True, kw_only=True):
    """How far the judge's clock supports the times of the submission; seconds, formulas in judge/attest.py."""

    excess: float
    """By medians: what the judge's clock says beyond the claimed time and beyond what the harness itself costs."""
    tol: Annotated[float, Meta(ge=0)]
    """Largest excess that is taken for noise; above it the judge's own time is published, far above it none."""
    excess_mean: float
    """The same by means: a lie in a few calls moves it."""
    tol_mean: Annotated[float, Meta(ge=0)]
    excess_quiet: float | None = None
    """By how much the judge's clock says more than the claimed times in calls that nobody else times, less the same of
    the baseline: work that runs on after the end of a call shows here. Null where there are no such calls."""
    tol_quiet: Annotated[float, Meta(ge=0)] | None = None
    level: float | None = None
    """What its processes show more around a call than the baseline's before they have loaded the submission, mean;
    taken off already. Null where that was not looked at."""
    level_quiet: float | None = None
    """The same of quiet calls."""
    ok: bool
    """All lie within their limits."""
    s_T: Annotated[float, Meta(ge=0)]
    """Standard deviation of the excess of honest kernels from session to session on this host."""
    source: str
    """Where s_T comes from: ``selftest`` with its date, or ``default``."""
    bound: float
    """The kernel's time by the judge's clock alone: what T says without what the harness costs."""
    attested_to: float
    """Share of the claimed time that could be hidden: by a lie, or by work that ends after its call."""
    harness: float
    """What the harness adds to a call: median of T - E of the baseline, between the submission's calls."""
    harness_clean: float
    """The same before any code of the submission was loaded."""
    reveal_clean: float | None = None
    """Median time of writing the inputs and flushing the caches before those calls."""
    meddled: float = 0.0
    """By how much the baseline's calls, or the judge's own work before the gate, took longer while the submission's
    process lived; part of the excess."""
    c0: float | None = None
    """Median T of calls of nothing."""
    replaced: bool = False
    """The published time is the judge's own, since its clock does not support that of the submission's process."""
    host_sync: bool = False
    """The calls synchronise inside: their time is the judge's own, not that of their events."""
    repeated: bool = False
    """The first block was refused; this is the second one, in new processes."""


class Instance(_Part, frozen=True, kw_only=True):
    """One process that measured a short kernel."""

    median: Seconds
    n: int
    samples: Samples | None = None
    """Null for the first, whose samples are those of the case."""


class Unattested(_Part, frozen=True, kw_only=True):
    """Times that the submission's process measured alone, seconds: for comparing with other tools, never ranked."""

    do_bench: Seconds | None = None
    """Median of calls that each follow a cache flush by writing, as triton.testing.do_bench has it; on a CPU: a plain
    loop without a flush."""
    wall: Seconds | None = None
    """Median of calls by the host's clock, from before the call until the device has finished."""
    sustained: Seconds | None = None
    """Mean of calls back to back for a second: the regime of the power limit. Long arithmetic kernels only."""


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
    attestation: Attestation | None = None
    """Null where the judge's own clock ranks."""
    instances: list[Instance] = []
    """Processes that measured the cell, when there were several."""
    unattested: Unattested | None = None
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
    return CaseResult(id=case_id, kind=kind, status="not_reached", reason=reason)  # type: ignore[arg-type]  # a text


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
