"""A problem as ``problem.toml`` states it, and the cells of its grid."""

from __future__ import annotations

import math
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct, field

from kernelbot_core.model.dtypes import DTYPES
from kernelbot_core.model.expression import evaluate

Name = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_]{0,31}$")]
Positive = Annotated[float, Meta(gt=0)]
Seed = Annotated[int, Meta(ge=0, le=2**63 - 1)]
Difficulty = Literal["intro", "intermediate", "hard"]


class _Table(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A table of problem.toml: immutable, and an unknown key is an error."""


class Tensor(_Table, frozen=True, kw_only=True):
    """One tensor argument: contiguous, row-major, 256-byte aligned."""

    name: Name
    dtype: str
    """A dtype name, or a variable that every entry of ``grid.dtypes`` binds."""
    shape: Annotated[list[str | int], Meta(max_length=8)]
    fixed: bool = False
    """The same values in every call of a cell (weights); all other inputs change."""


class Scalar(_Table, frozen=True, kw_only=True):
    """One scalar argument, computed from the dimensions."""

    name: Name
    dtype: Literal["int32", "int64", "fp32", "fp64"]
    value: str | float


class Signature(_Table, frozen=True, kw_only=True):
    """``solve(*inputs, *outputs, *scalars)``, the same order in every language."""

    dims: Annotated[list[Name], Meta(min_length=1, max_length=16)]
    inputs: Annotated[list[Tensor], Meta(min_length=1, max_length=16)]
    outputs: Annotated[list[Tensor], Meta(min_length=1, max_length=8)]
    scalars: list[Scalar] = []
    separable: Name | None = None
    """The dimension along which a call falls into independent blocks: the first axis of every tensor that has it."""

    @property
    def tensors(self) -> list[Tensor]:
        """Inputs, then outputs."""
        return [*self.inputs, *self.outputs]

    @property
    def arguments(self) -> list[str]:
        """Names of all arguments of ``solve``, in order."""
        return [a.name for a in self.tensors] + [s.name for s in self.scalars]

    def shapes(self, dims: dict[str, int]) -> list[tuple[int, ...]]:
        """Shape of each tensor, inputs first."""
        return [tuple(evaluate(extent, dims) for extent in t.shape) for t in self.tensors]

    def dtypes(self, binding: dict[str, str]) -> list[str]:
        """Dtype name of each tensor, inputs first."""
        return [binding.get(t.dtype, t.dtype) for t in self.tensors]

    def nbytes(self, dims: dict[str, int], binding: dict[str, str]) -> list[int]:
        """Bytes of each tensor, inputs first."""
        names = self.dtypes(binding)
        return [math.prod(s) * DTYPES[d].size for s, d in zip(self.shapes(dims), names, strict=True)]

    def scalar_values(self, dims: dict[str, int]) -> list[int | float]:
        """Value of each scalar argument."""
        return [s.value if isinstance(s.value, float) else evaluate(s.value, dims) for s in self.scalars]


class Grid(_Table, frozen=True, kw_only=True):
    """Sizes x dtypes; every cell is a case."""

    dtypes: Annotated[list[str | dict[str, str]], Meta(min_length=1)]
    sizes: Annotated[dict[Name, dict[str, int | bool | list[str]]], Meta(min_length=1)]


class Elementwise(_Table, frozen=True, kw_only=True, tag_field="rule", tag="elementwise"):
    """``|got - expected| <= eps[dtype] * scale``, element by element."""

    scale: Literal["expected", "magnitude"] = "expected"
    eps: dict[str, Positive] = {}


class Accumulate(_Table, frozen=True, kw_only=True, tag_field="rule", tag="accumulate"):
    """``|got - expected| <= ulps*u(out)*|expected| + factor*sqrt(length)*u(accumulate)*magnitude``.

    The second term is the probabilistic rounding bound of a sum of ``length`` products
    (Higham & Mary, A new approach to probabilistic rounding error analysis, 2019).
    """

    length: str
    accumulate: Literal["fp16", "bf16", "fp32", "fp64"] = "fp32"
    ulps: Positive = 1.5
    factor: Positive = 2.0


class Exact(_Table, frozen=True, kw_only=True, tag_field="rule", tag="exact"):
    """Bit for bit, for integers."""


class Custom(_Table, frozen=True, kw_only=True, tag_field="rule", tag="check"):
    """``check(expected, got, inputs, cell)`` of problem.py decides."""


class Property(_Table, frozen=True, kw_only=True):
    """Budget of one hypothesis property."""

    examples: Annotated[int, Meta(ge=1, le=200)] = 25


class Work(_Table, frozen=True, kw_only=True):
    """Known work of one call, as expressions."""

    bytes: str
    flops: str


class Inputs(_Table, frozen=True, kw_only=True):
    """Where the public inputs come from."""

    seed: Seed


class Ranking(_Table, frozen=True, kw_only=True):
    """How reports become places."""

    score: str = "geomean"
    dtype: str | None = None
    """The board that is shown first; default: the first of the grid."""
    tie: Annotated[float, Meta(ge=0, le=0.1)] = 0.01
    order: tuple[Literal["lines", "time"], ...] = ("time",)
    """Order inside a tie."""
    release: Annotated[int, Meta(ge=0, le=36500)] | Literal["first", "never"] = 7
    """When code becomes public: days after submission, while it holds first place only, or never. Not part of the
    problem's version: it changes no verdict."""


class Rules(_Table, frozen=True, kw_only=True):
    """What a submission may use."""

    languages: list[Name] = []
    """Empty: every language."""
    tf32: bool | None = None


class Limits(_Table, frozen=True, kw_only=True):
    """Seconds and GiB; GiB is host memory of one worker."""

    build_s: Positive = 60
    call_s: Positive = 5
    job_s: Positive = 180
    memory_gib: Positive = 16


class ProblemFile(_Table, frozen=True, kw_only=True):
    """problem.toml, key by key."""

    format: Literal[1]
    title: str
    summary: str
    area: Name
    difficulty: Difficulty
    signature: Signature
    grid: Grid
    inputs: Inputs
    tolerance: Elementwise | Accumulate | Exact | Custom
    work: Work
    properties: dict[Name, Property] = {}
    ranking: Ranking = field(default_factory=Ranking)
    rules: Rules = field(default_factory=Rules)
    limits: Limits = field(default_factory=Limits)


class Cell(Struct, frozen=True, kw_only=True):
    """One size x dtype of a problem's grid, with everything derived from it."""

    size: str
    dtype: str
    """The label of the dtype entry, as in case ids and ``--dtype``."""
    dims: dict[str, int]
    binding: dict[str, str]
    """Dtype of each dtype variable."""
    ranked: bool
    devices: list[str]
    """Kinds of device that the size is meant for: ``cpu``, ``gpu``."""
    bytes: int
    flops: int

    @property
    def name(self) -> str:
        """``size-dtype``, as in ``check[small-fp32]``."""
        return f"{self.size}-{self.dtype}"


class Problem(Struct, frozen=True, kw_only=True):
    """A pack that has been read and found sound. Nothing of its code has been imported."""

    name: str
    path: str
    """The pack's folder."""
    version: str
    """sha256 of problem.toml (canonical JSON, without title and summary) and the bytes of problem.py."""
    file: ProblemFile
    bindings: dict[str, dict[str, str]]
    """Dtype label -> dtype of each variable."""
    cells: list[Cell]
    """Sizes in the order of the file, dtypes inside."""

    @property
    def signature(self) -> Signature:
        """Shorthand for ``file.signature``."""
        return self.file.signature

    @property
    def sizes(self) -> list[str]:
        """Names of the sizes, in the order of the file."""
        return list(self.file.grid.sizes)

    @property
    def board_dtype(self) -> str:
        """The dtype whose board is shown first."""
        return self.file.ranking.dtype or next(iter(self.bindings))


def to_json(value: object) -> bytes:
    """Canonical JSON (sorted keys) of any model object."""
    return msgspec.json.encode(value, order="sorted")
