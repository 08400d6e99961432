"""What a compiler says of kernels with launch lines, without what it says of the code that is generated for them."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from kernelbot_lang_cuda._compile import Compiled
from kernelbot_lang_cuda._launch import Launch

GENERATED = ("kernelbot.h", "__nv_name_map")
"""Files that nobody wrote: the header with what is put behind a source, and NVRTC's list of the kernels wanted."""
_HEAD = re.compile(
    r"^(?P<file>[^\s(:][^(:\n]*)(?:\((?P<line>\d+)\)|:(?P<row>\d+)(?::\d+)?): "
    r"(?P<kind>(?:\w+ )?error|warning|remark)[^:\n]*: (?P<said>.*)$"
)
_ABOUT_THE_TEXT = re.compile(r"^(Remark: The warnings can be suppressed|\d+ errors? detected in the compilation)")
_KERNEL = r"__global__(?:[^(;{]|\b__\w+__\s*\([^()]*\))*?\b(?!__)"
"""Up to the name of a kernel, past attributes such as ``__launch_bounds__(256)``."""


_PYTHON = re.compile(
    r"^(?:import[ \t]+[\w.]+(?:[ \t]+as[ \t]+\w+)?|from[ \t]+[\w.]+[ \t]+import[ \t]+[^;\n]+"
    r"|def[ \t]+\w+[ \t]*\([^;{\n]*)[ \t]*$",
    re.MULTILINE,
)
"""A line at the top level that is Python and not C++, whose imports end in a semicolon."""


class _Part(NamedTuple):
    """One diagnostic with the code that it quotes and its notes."""

    file: str
    line: int
    error: bool
    said: str
    text: str


def named(source: str) -> list[str]:
    """Names of the kernels that stand in a source, as far as they are written out."""
    return list(dict.fromkeys(re.findall(_KERNEL + r"(\w+)\s*\(", source)))


def python(name: str, source: str) -> str:
    """The line that shows that a file which does not compile is Python; empty where there is none."""
    found = _PYTHON.search(source)
    if found is None:
        return ""
    line = source.count("\n", 0, found.start()) + 1
    said = f"this is Python, not CUDA C++: {found[0].strip()}"
    return f"{name}({line}): error: {said}; for Python name it .py and leave --lang cuda out"


def explained(one: Compiled, name: str, source: str, launches: Sequence[Launch]) -> Compiled:
    """One line for each launch line that does not fit, and what the compiler says of the participant's own lines.

    :param name: Of the participant's file.
    """
    if one.ok:
        return one
    parts = list(_parts(one.text))
    own = [part for part in parts if not _generated(part, name, launches)]
    wrong = [part for part in own if part.error]
    for launch in launches:
        here = [part for part in parts if part.error and (part.file, part.line) == (name, launch.line)]
        why = _why(here[0].said, launch, source, follows=bool(wrong)) if here else None
        if why is not None:
            wrong.append(here[0]._replace(text=f"{name}({launch.line}): error: {why}"))
    if not wrong:
        return one
    rest = [part for part in own if not part.error]
    return dataclasses.replace(one, text="\n\n".join(part.text for part in [*wrong, *rest]))


def _parts(text: str) -> Iterator[_Part]:
    """The diagnostics of a text; what stands before the first one belongs to it."""
    lines: list[str] = []
    head: re.Match[str] | None = None
    for line in text.splitlines():
        found = _HEAD.match(line)
        if found and head:
            yield _part(head, lines)
            lines = []
        head = found or head
        if not _ABOUT_THE_TEXT.match(line):
            lines.append(line)
    if head:
        yield _part(head, lines)


def _part(head: re.Match[str], lines: Sequence[str]) -> _Part:
    error = head["kind"].endswith("error")
    return _Part(head["file"], int(head["line"] or head["row"]), error, head["said"], "\n".join(lines).strip("\n"))


def _generated(part: _Part, name: str, launches: Sequence[Launch]) -> bool:
    """A launch line is a comment: what is said of it is said of the call that is generated under its number."""
    return part.file in GENERATED or (part.file == name and part.line in [launch.line for launch in launches])


def _why(said: str, launch: Launch, source: str, *, follows: bool) -> str | None:
    """What is wrong with a launch line, in one line; None where it is the consequence of another error.

    :param said: The compiler's words.
    :param follows: There are errors of the participant's own lines.
    """
    plain = launch.kernel.partition("<")[0].strip()
    kernels = named(source)
    if said == f'identifier "{plain}" is undefined':
        if plain in kernels and follows:
            return None
        if plain not in kernels:
            here = ", ".join(kernels) or "none"
            return f"the launch line names a kernel {plain}, which is not in the file; kernels there: {here}"
    if 'function template "' in said and "<" not in launch.kernel:
        return f"the launch line does not say which {plain} of the template; name it, as in {plain}<KB_T><<<...>>>"
    asserted = re.fullmatch(r'static assertion failed with "(.*)"', said)
    passed = f"the launch line does not fit {launch.kernel} when it passes ({', '.join(launch.arguments)})"
    hint = _takes(plain, source) if asserted or "argument" in said else ""
    return f"{passed}: {asserted[1] if asserted else said}{hint}"


def _takes(kernel: str, source: str) -> str:
    """What the kernel of that name takes, where it can be read off the source without doubt."""
    found = re.findall(_KERNEL + re.escape(kernel) + r"\s*\(([^()]*)\)", source)
    if len(found) != 1:
        return ""
    return f"; pass one argument of the problem for each of its parameters ({' '.join(found[0].split())})"
