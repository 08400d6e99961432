"""Is it right? Element by element, NaN-safe, in chunks, in fp64."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from types import ModuleType, SimpleNamespace
from typing import Any

from kernelbot_core.model.dtypes import DTYPES
from kernelbot_core.model.expression import evaluate
from kernelbot_core.model.problem import Accumulate, Custom, Elementwise, Exact, Problem
from kernelbot_core.model.report import CaseError
from kernelbot_core.text import digits

CHUNK_CPU = 1 << 15
"""Elements; temporaries stay in the cache."""
CHUNK_GPU = 1 << 23
"""Elements; large enough to fill the device, small beside the outputs."""
FLOOR = 2.0**-126


@dataclass
class Comparison:
    """Worst of all elements compared so far."""

    fraction: float = 0.0
    """Error over what is allowed; above 1 is wrong, inf where a non-finite value does not fit."""
    max_diff: float = 0.0
    """Largest finite absolute difference."""
    error: CaseError | None = None
    """The worst element, once it is wrong."""
    notes: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Everything is within the bound."""
        return self.fraction <= 1.0

    def merge(self, other: Comparison) -> None:
        """Keep the worse of both."""
        self.max_diff = max(self.max_diff, other.max_diff)
        if other.fraction > self.fraction:
            self.fraction, self.error = other.fraction, other.error


def compare(
    problem: Problem,
    binding: dict[str, str],
    dims: dict[str, int],
    inputs64: Sequence[Any],
    expected: Sequence[Any],
    got: Sequence[Any],
    pack: ModuleType,
    *,
    start: int = 0,
) -> Comparison:
    """Hold outputs against the oracle, by the problem's tolerance.

    :param inputs64: fp64 copies of floating-point inputs, others as they are.
    :param expected: fp64 (or exact integer) outputs of the oracle.
    :param got: The submission's outputs, in their own dtypes, in memory that nobody else sees.
    :param dims: Of the whole call, also where the tensors are a part of it.
    :param start: Row of the whole outputs at which these begin.
    """
    rule = problem.file.tolerance
    if isinstance(rule, Custom):
        return _custom(pack, _view(binding, dims, got), expected, got, inputs64)
    names = [problem.signature.dtypes(binding)[len(problem.signature.inputs) + i] for i in range(len(got))]
    scales = _scales(rule, pack, inputs64, expected)
    worst = Comparison()
    for place, (name, want, have, scale) in enumerate(zip(names, expected, got, scales, strict=True)):
        terms = _terms(rule, name, dims)
        one = _compare_one(want, have, scale, terms, start)
        if one.error is not None:
            label = problem.signature.outputs[place].name
            one.error = CaseError(
                message=_message(label, one.error),
                output=label,
                index=one.error.index,
                expected=one.error.expected,
                got=one.error.got,
                fraction=one.error.fraction,
            )
        worst.merge(one)
    return worst


def as_outputs(value: Any) -> list[Any]:
    """What a reference or magnitude function returned, as a list."""
    return list(value) if isinstance(value, (tuple, list)) else [value]


def _scales(rule: Any, pack: ModuleType, inputs64: Sequence[Any], expected: Sequence[Any]) -> list[Any]:
    wants = isinstance(rule, Accumulate) or (isinstance(rule, Elementwise) and rule.scale == "magnitude")
    return as_outputs(pack.magnitude(*inputs64)) if wants else [None] * len(expected)


def _terms(rule: Any, dtype: str, dims: dict[str, int]) -> tuple[float, float]:
    """The bound is ``terms[0]*|expected| + terms[1]*scale``; without a scale terms[1] is 0."""
    if isinstance(rule, Accumulate):
        length = evaluate(rule.length, dims)
        return rule.ulps * DTYPES[dtype].unit, rule.factor * math.sqrt(length) * DTYPES[rule.accumulate].unit
    if isinstance(rule, Exact):
        return 0.0, 0.0
    eps = rule.eps.get(dtype, DTYPES[dtype].tolerance)
    return (0.0, eps) if rule.scale == "magnitude" else (eps, 0.0)


def _compare_one(want: Any, have: Any, scale: Any, terms: tuple[float, float], row: int) -> Comparison:
    flat_want, flat_have = want.reshape(-1), have.reshape(-1)
    flat_scale = None if scale is None else scale.reshape(-1)
    result, look = Comparison(), _integers if not have.dtype.is_floating_point else _floats
    chunk = CHUNK_GPU if have.is_cuda else CHUNK_CPU
    for start in range(0, flat_want.numel(), chunk):
        part = slice(start, start + chunk)
        w, h = flat_want[part], flat_have[part]
        fraction, largest, at = look(w, h, None if flat_scale is None else flat_scale[part], terms)
        result.max_diff = max(result.max_diff, largest)
        if fraction > result.fraction:
            result.fraction = fraction
            if fraction > 1.0:
                result.error = CaseError(
                    message="", index=_index(start + at, want.shape, row), expected=_show(w[at]), got=_show(h[at]),
                    fraction=fraction if math.isfinite(fraction) else None,
                )  # fmt: skip
    return result


def _integers(want: Any, have: Any, scale: Any, terms: tuple[float, float]) -> tuple[float, float, int]:  # noqa: ARG001 - called like its siblings
    wrong = want.long() != have.long()  # a difference of 2**63 has no absolute value among integers
    if not bool(wrong.any()):
        return 0.0, 0.0, 0
    difference = (want.double() - have.double()).abs().clamp_(min=1.0).mul_(wrong)
    at = int(difference.argmax())
    return math.inf, float(difference[at]), at


def _floats(want: Any, have: Any, scale: Any, terms: tuple[float, float]) -> tuple[float, float, int]:
    """(worst error over bound, largest finite absolute error, place of the worst).

    A NaN must meet a NaN and an infinity the same infinity, except that a result whose bound reaches beyond the largest
    finite number of its dtype may overflow to that infinity. The bound is never below the smallest subnormal of the
    dtype nor 2**-126, and never infinite.
    """
    import torch

    info = torch.finfo(have.dtype)
    floor = max(FLOOR, float(info.smallest_normal) * float(info.eps))
    if terms[0] or scale is None:
        bound = want.abs().mul_(terms[0])
        if scale is not None and terms[1]:
            bound.add_(scale, alpha=terms[1])
    else:
        bound = scale * terms[1]
    bound.clamp_(min=floor)
    wide = have if have.element_size() > 1 else have.double()  # torch does not mix fp8 with anything
    difference = torch.sub(wide, want)  # in fp64, without a copy of what is compared
    low, high, loosest = torch.stack([*difference.aminmax(), bound.max()]).tolist()  # one wait for the device
    largest = max(-low, high)
    if math.isfinite(largest) and math.isfinite(loosest):
        fraction = difference.div_(bound)
        low, high = torch.stack(fraction.aminmax()).tolist()
        worst = max(-low, high)
        return worst, largest, int(fraction.abs_().argmax()) if worst > 1.0 else 0
    difference, got = difference.abs_(), have.double()
    bound = bound.nan_to_num_(nan=floor, posinf=floor, neginf=floor)
    strange = ~(want.isfinite() & got.isfinite())
    same = (want == got) | (want.isnan() & got.isnan())
    overflow = got.isinf() & want.isfinite() & (want.abs() + bound >= float(info.max)) & (got.sign() == want.sign())
    fraction = torch.where(strange, torch.where(same | overflow, 0.0, torch.inf), difference / bound)
    finite = difference[~strange]
    at = int(fraction.argmax())
    return float(fraction[at]), float(finite.max()) if finite.numel() else 0.0, at


def _index(flat: int, shape: Sequence[int], row: int) -> list[int]:
    """Place in the whole output of an element of a part that begins at ``row``."""
    places = []
    for extent in reversed(shape):
        flat, place = divmod(flat, extent)
        places.append(place)
    return [places[-1] + row, *places[-2::-1]] if places else []


def _custom(
    pack: ModuleType, cell: SimpleNamespace, expected: Sequence[Any], got: Sequence[Any], inputs64: Sequence[Any]
) -> Comparison:
    said = pack.check(tuple(expected), tuple(got), tuple(inputs64), cell)
    if not said if isinstance(said, str) else said is None or bool(said):  # a tensor of one bool is an answer too
        return Comparison()
    text = said if isinstance(said, str) else "the problem's own check says no"
    return Comparison(fraction=math.inf, error=CaseError(message=text))


def _view(binding: dict[str, str], dims: dict[str, int], got: Sequence[Any]) -> SimpleNamespace:
    """The cell as functions of problem.py see it."""
    import torch

    native = {variable: getattr(torch, DTYPES[dtype].torch) for variable, dtype in binding.items()}
    return SimpleNamespace(dims=dims, dtypes=native, device=str(got[0].device))


def _message(output: str, error: CaseError) -> str:
    place = ", ".join(map(str, error.index or []))
    text = f"{output}[{place}] is {error.got}, expected {error.expected}"
    return f"{text} ({digits(error.fraction)} x the allowed error)" if error.fraction is not None else text


def _show(value: Any) -> str:
    number = value.item()
    return f"{number:.9g}" if isinstance(number, float) else str(number)
