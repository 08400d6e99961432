"""Every cheat there is: files with a header of comments, and files of other suites taken in by reference.

Header lines, ``#`` in Python and ``//`` in CUDA; ``expect`` is the one that samples of packs have too::

    # tries: one line, what the author hopes for
    # problems: vector_add matmul softmax
    # expect: wrong|crashed          statuses that end it, or no_gain: accepted at the honest time
    # walls: crashed                 the same where the sandbox has walls, when that differs
    # device: cpu gpu                where it can run; both when the line is missing
    # mode: benchmark                test when the line is missing
    # size: us5                      on a GPU, instead of the usual one of sizes.py
    # naive: check=before            what the naive harness must be like for the cheat to live; ``none``: it cannot be
    # gain: forged | reached         instead of a shorter time: a made-up result or wrong values taken for right ones,
                                     or a place that it should not have reached
    # ci: no                         left to `make adversarial`; ``yes`` takes a benchmark into every run of the tests
    # credit: words                  of an honest kernel: why its time may differ from a plain loop's

A Python cheat for several problems calls ``honest(*args)`` and ``partly(share, *args)`` of the problem's prelude, which
is put in front of it, and finds its inputs in ``args[:INPUTS]`` and its output in ``args[INPUTS]``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
SUITE = HERE.parent
ROOT = SUITE.parents[1]
NO_GAIN = "no_gain"
_KEYS = "tries|problems|expect|walls|device|mode|size|naive|gain|credit|ci"
_LINE = re.compile(rf"^(?:#|//)[ \t]*({_KEYS}):[ \t]*(.*?)[ \t]*$", re.MULTILINE)


@dataclass(frozen=True)
class Case:
    """One file for one problem."""

    path: Path
    kind: str
    """Folder of the file: what sort of thing it tries."""
    problem: str
    tries: str
    expect: frozenset[str]
    walls: frozenset[str]
    devices: frozenset[str]
    mode: str
    naive: dict[str, str] | None
    """Pattern of the naive harness; None: it has nothing of the kind."""
    gain: str
    """``time``, ``forged`` or ``reached``."""
    quick: bool
    """Judged in every run of the tests: the first problem of a file, in test mode unless the file says otherwise."""
    size: str = ""
    """Where it is timed on a GPU; the usual one when empty."""
    credit: str = ""
    """Of an honest submission: why its time may differ from a plain loop's."""

    @property
    def name(self) -> str:
        """``reuse/pointer_cache.py:matmul``."""
        return f"{self.kind}/{self.path.name}:{self.problem}"

    @property
    def language(self) -> str:
        """As its header or suffix says."""
        if self.path.suffix == ".cu":
            return "cuda"
        return "triton" if re.search(r"^#!kernelbot language triton", self.path.read_text(), re.M) else "torch"

    def source(self, constants: dict[str, object] | None = None) -> str:
        """What is submitted: prelude and file, with ``@NAME@`` replaced by constants."""
        text = self.path.read_text()
        if self.path.suffix == ".py" and SUITE / "cheats" in self.path.parents:
            text = f"#!kernelbot language {self.language}\n{prelude(self.problem)}\n\n{text}"
        for name, value in (constants or {}).items():
            text = text.replace(f"@{name}@", str(value))
        return text


def prelude(problem: str) -> str:
    """The honest kernel of a problem, for cheats to lean on."""
    return (HERE / "preludes" / f"{problem}.py").read_text()


def cheats() -> list[Case]:
    """All of them, in a fixed order."""
    found = [case for path in sorted((SUITE / "cheats").glob("*/*")) for case in _read(path, path.parent.name)]
    return [*found, *_referenced()]


def honest() -> list[Case]:
    """The honest zoo."""
    return [case for path in sorted((SUITE / "honest").glob("*")) for case in _read(path, "honest")]


def _read(path: Path, kind: str, **given: str) -> Iterator[Case]:
    if path.suffix not in (".py", ".cu"):
        return
    lines = dict(_LINE.findall(path.read_text())) | given
    missing = {"tries", "problems", "expect"} - set(lines)
    if missing:
        raise ValueError(f"{path}: the header has no line {', '.join(sorted(missing))}")
    expect = frozenset(lines["expect"].replace("|", " ").split())
    naive = lines.get("naive", "")
    for number, problem in enumerate(lines["problems"].split()):
        yield Case(
            path=path, kind=kind, problem=problem, tries=lines["tries"], expect=expect,
            walls=frozenset(lines.get("walls", lines["expect"]).replace("|", " ").split()),
            devices=frozenset(lines.get("device", "cpu gpu").split()), mode=lines.get("mode", "test"),
            naive=None if naive == "none" else dict(word.split("=", 1) for word in naive.split()),
            gain=lines.get("gain", "time"), size=lines.get("size", ""), credit=lines.get("credit", ""),
            quick=number == 0 and lines.get("ci", "yes" if lines.get("mode", "test") == "test" else "no") == "yes",
        )  # fmt: skip


# Path from the root, kind, the naive pattern it needs, gain. They are judged by the suites they belong to as well.
_REFERENCES = (
    ("problem_packs/matmul/samples/cheat/caches_by_pointer.py", "reuse", "", "time"),
    ("problem_packs/softmax/samples/cheat/remembers_addresses.py", "reuse", "device=cpu", "time"),
    ("problem_packs/vector_add/samples/cheat/keeps_the_first_answer.py", "reuse", "", "time"),
    ("problem_packs/matmul/samples/cheat/computes_a_sample.py", "numerics", "compare=first_row", "time"),
    ("problem_packs/softmax/samples/cheat/uniform_rows.py", "numerics", "tolerance=0.2", "time"),
    ("problem_packs/matmul/samples/cheat/uses_fewer_bits.py", "numerics", "device=gpu", "forged"),
    ("problem_packs/matmul/samples/cheat/patches_the_clock.py", "timer", "compare=first_row tolerance=100", "time"),
    ("problem_packs/vector_add/samples/cheat/stops_the_clock.py", "timer", "", "time"),
    ("problem_packs/vector_add/samples/cheat/finishes_later.py", "deferred", "settle=0.1", "forged"),
    ("problem_packs/matmul/samples/cheat/answers_twice.py", "forge", "none", "forged"),
    ("tests/flow/hostile/floods_the_judge.py", "forge", "none", "forged"),
    ("problem_packs/matmul/samples/cheat/exits_happily.py", "forge", "none", "forged"),
)


def _referenced() -> Iterator[Case]:
    for name, kind, naive, gain in _REFERENCES:
        path = ROOT / name
        problem = path.parents[2].name if "samples" in path.parts else "vector_add"
        tries = (re.search(r'^"""(.*?)"""', path.read_text(), re.M) or [None, path.stem.replace("_", " ")])[1]
        devices = [word for word in naive.split() if word.startswith("device=")]
        device = devices[0].removeprefix("device=") if devices else "cpu gpu"
        pattern = " ".join(word for word in naive.split() if word not in devices)
        for case in _read(path, kind, problems=problem, tries=tries, naive=pattern, gain=gain, device=device):
            yield Case(**{**vars(case), "quick": False})
