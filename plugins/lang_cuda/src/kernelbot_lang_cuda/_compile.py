"""One nvcc run for each dtype label, side by side, and the compiler's text made readable."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from kernelbot_core import DTYPES, BuildOrder, c_prototype
from kernelbot_lang_cuda import _signature, _toolkit

DEFAULT_ARCH = "sm_90a"
"""What is compiled for where there is no GPU: the code is built, not run."""
OTHER_ARGUMENTS = 'more than one instance of overloaded function "solve" has "C" linkage'
"""What nvcc says of a ``solve`` that differs from the declaration in the generated header."""
OTHERS = "solve() takes other arguments than the problem's"
_ARCH = re.compile(r"sm_(\d+[af]?)")


@dataclass(frozen=True)
class Compiled:
    """Result for one label."""

    label: str
    ok: bool
    text: str
    symbols: frozenset[str] | None
    """Functions that the library exports; None when nobody can tell."""


def shared_object(label: str) -> str:
    """Name of the shared object of a label inside the artifact."""
    return f"solve-{label}.so"


def architecture(target: str) -> str | None:
    """``90a`` of ``sm_90a`` (the letter opens wgmma, TMA, tcgen05); None when the target is no CUDA target."""
    found = _ARCH.fullmatch(target if target not in ("", "cpu") else DEFAULT_ARCH)
    return found[1] if found else None


def compile_all(
    order: BuildOrder,
    labels: Sequence[str],
    nvcc: Path,
    folder: Path,
    out: Path,
    behind: Callable[[str], str] | None = None,
) -> list[Compiled]:
    """Build every label; the order of the results is that of ``labels``.

    :param behind: C++ to put behind the source, by label.
    """
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        return list(pool.map(lambda label: _compile(order, label, nvcc, folder, out, behind), labels))


def _compile(
    order: BuildOrder, label: str, nvcc: Path, folder: Path, out: Path, behind: Callable[[str], str] | None
) -> Compiled:
    generated = folder / "cuda" / label
    generated.mkdir(parents=True, exist_ok=True)
    binding = order.bindings[label]
    (generated / "kernelbot.h").write_text(_signature.header(order.signature, binding))
    source = order.source
    if behind is not None:
        text = (folder / source).read_text(errors="replace")
        source = str(generated / source)
        Path(source).write_text(f'#line 1 "{order.source}"\n{text}{behind(label)}')
    target = out / shared_object(label)
    command = [str(nvcc), *_flags(order.target), *_signature.macros(label, binding), "-I", str(generated)]
    command += ["-include", "kernelbot.h", *_isystem(), "-o", str(target)]
    command += ["-x", "cu", source, *_toolkit.link_flags(nvcc)]  # whatever its name ends in
    environment = {**os.environ, "TMPDIR": str(generated)}
    done = subprocess.run(  # its limits are those of the builder's sandbox
        command, cwd=folder, env=environment, capture_output=True, text=True, errors="replace", check=False
    )
    text = _readable(done.stdout + done.stderr, generated, folder)
    text = text.replace(OTHER_ARGUMENTS, f"{OTHERS}; write {c_prototype(order.signature)}")
    if done.returncode == 0:
        return Compiled(label, True, text, exported(target))
    return Compiled(label, False, text or f"nvcc ended with exit code {done.returncode}", None)


def _isystem() -> list[str]:
    return [flag for folder in _toolkit.cutlass_folders() for flag in ("-isystem", str(folder))]


def _flags(target: str) -> list[str]:
    """A fresh list for each build: nothing of one build can reach the next."""
    arch = architecture(target)
    flags = ["-shared", "-Xcompiler", "-fPIC", "-O3", "-std=c++17", "-lineinfo"]
    return [*flags, "-gencode", f"arch=compute_{arch},code=sm_{arch}"]


def exported(path: Path) -> frozenset[str] | None:
    """Symbols that a shared object defines, by ``nm``, which comes with every linker."""
    nm = shutil.which("nm")
    if nm is None:
        return None
    done = subprocess.run([nm, "-D", "--defined-only", str(path)], capture_output=True, text=True, check=False)
    return frozenset(line.split()[-1] for line in done.stdout.splitlines() if line.strip())


def _readable(text: str, generated: Path, folder: Path) -> str:
    """Paths cut to the participant's file name, and lines dropped that speak of nvcc rather than of the code."""
    for path in (generated, folder):
        text = text.replace(f"{path.resolve()}/", "").replace(f"{path}/", "")
    lines = [line for line in text.splitlines() if not line.startswith("Remark: The warnings can be suppressed")]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def joined(results: Sequence[Compiled], bindings: Mapping[str, dict[str, str]]) -> str:
    """The texts of all labels, equal ones once. Type names differ between labels, so they are compared without them."""
    groups: list[tuple[set[str], list[Compiled]]] = []
    for one in results:
        if one.text:
            keys = _diagnostics(one.text, bindings[one.label])
            known = next((group for seen, group in groups if seen & keys), None)
            if known is None:
                groups.append((keys, known := []))
            known.append(one)
    if len(groups) == 1 and len(groups[0][1]) == len(results):
        return groups[0][1][0].text
    return "\n\n".join(f"[{', '.join(r.label for r in group)}] {group[0].text}" for _, group in groups)


def _diagnostics(text: str, binding: Mapping[str, str]) -> set[str]:
    """Diagnostics only, as they are and without type names: the quoted code and the caret shift with a name's length.

    As they are, since a type of the problem may also stand in the source for itself.
    """
    kept = [line for line in text.splitlines() if re.match(r".*(\(\d+\)|:\d+): ", line)]
    plain = neutral = "\n".join(kept) or text
    for variable, dtype in binding.items():
        neutral = neutral.replace(DTYPES[dtype].c, f"KB_{variable}")
    return {plain, neutral}
