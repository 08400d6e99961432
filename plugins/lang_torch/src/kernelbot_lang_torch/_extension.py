"""C++ and CUDA extensions of a Python file: compiled in the builder, only loaded in the worker.

``load`` and ``load_inline`` of :mod:`torch.utils.cpp_extension` are exchanged while the file is executed. In the
builder the exchanged ones compile into the scratch folder and keep the shared object under a key made of all arguments;
in the worker they look the key up and load it. Torch's own reuse cannot do that: it compares absolute paths, takes a
lock and writes a log, and the artifact is read-only and elsewhere. A call that the builder has not seen (made later, or
with arguments that depend on the GPU) goes to torch and is compiled where it is made.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.metadata
import importlib.util
import inspect
import os
import re
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from kernelbot_core import Build, BuildOrder, load_python
from kernelbot_lang_torch import _diagnose

FOLDER = "extensions"
SLOW_S = 10.0
FASTER = "torch's headers are most of that: no_implicit_headers=True with fewer includes, or a .cu file, builds faster"
_FUNCTIONS = ("load", "load_inline")
_IRRELEVANT = ("build_directory", "verbose", "keep_intermediates")
Loader = Callable[..., Any]


def is_used(source: str) -> bool:
    """Whether the file may compile extensions."""
    return "cpp_extension" in source


def build_extensions(order: BuildOrder, build: Build, folder: Path, out: Path) -> Build:
    """Execute the file once, so that its extensions are compiled and kept in the artifact.

    A file that fails for another reason than a compiler (there is no GPU in the builder) is left to the worker.
    """
    failures: list[str] = []
    notes: list[str] = []
    listing = _diagnose.Listing(order.source, (folder / order.source).read_text(errors="replace"))
    try:
        with (
            _environment(order.target, folder),
            _exchanged(lambda original: _recorder(original, order.target, folder, out, failures, notes, listing)),
        ):
            load_python(out, build)
    except (Exception, SystemExit) as exc:  # noqa: BLE001 - foreign code: the submission's own module level
        if failures:
            return Build(ok=False, text=failures[-1])
        note = f"not importable without a device ({type(exc).__name__}: {exc}); extensions are compiled in the worker"
        notes.append(note)
    return msgspec.structs.replace(build, notes=[*build.notes, *notes])


@contextlib.contextmanager
def replayed(artifact: Path) -> Iterator[None]:
    """Inside the block, extensions that the builder has compiled are loaded from the artifact."""
    with _exchanged(lambda original: _replayer(original, artifact)):
        yield


@contextlib.contextmanager
def _exchanged(wrap: Callable[[Loader], Loader]) -> Iterator[None]:
    from torch.utils import cpp_extension

    originals = {name: getattr(cpp_extension, name) for name in _FUNCTIONS}
    for name, original in originals.items():
        setattr(cpp_extension, name, wrap(original))
    try:
        yield
    finally:
        for name, original in originals.items():
            setattr(cpp_extension, name, original)


def _recorder(
    original: Loader, target: str, folder: Path, out: Path, failures: list[str], notes: list[str],
    listing: _diagnose.Listing,
) -> Loader:  # fmt: skip
    def record(*args: Any, **kwargs: Any) -> Any:
        arguments = _bound(original, args, kwargs)
        key = _key(original, arguments)
        scratch = folder / FOLDER / key
        scratch.mkdir(parents=True, exist_ok=True)
        strings = _diagnose.inline_sources(arguments)
        try:
            _refuse_impossible(arguments, target)
            began = time.monotonic()
            result = original(**{**arguments, "build_directory": str(scratch)})
            if (seconds := time.monotonic() - began) > SLOW_S:
                advice = "" if arguments.get("no_implicit_headers") else f"; {FASTER}"
                notes.append(f"{arguments.get('name')} took {seconds:.0f} s to compile{advice}")
        except Exception as exc:  # foreign code: noted for the build text, and raised again
            failures.append(listing.readable(str(exc), strings, scratch))
            raise
        path = Path(result if isinstance(result, str) else result.__file__)
        if path.suffix == ".so":
            kept = out / FOLDER / key
            kept.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, kept / path.name)
        return result

    return record


def _replayer(original: Loader, artifact: Path) -> Loader:
    def replay(*args: Any, **kwargs: Any) -> Any:
        arguments = _bound(original, args, kwargs)
        found = sorted((artifact / FOLDER / _key(original, arguments)).glob("*.so"))
        if not found:
            return original(*args, **kwargs)
        if not arguments.get("is_python_module", True):
            import torch

            torch.ops.load_library(str(found[0]))
            return str(found[0])
        return _import(found[0])

    return replay


def _import(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path.name} is not an extension module")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _bound(original: Loader, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
    return dict(inspect.signature(original).bind(*args, **kwargs).arguments)


def _key(original: Loader, arguments: dict[str, Any]) -> str:
    """Hash over the arguments, with the contents of source files in place of their names."""
    digest = hashlib.sha256(original.__name__.encode())
    for name in sorted(arguments):
        if name in _IRRELEVANT:
            continue
        value = arguments[name]
        values = [value] if isinstance(value, str) or not isinstance(value, (list, tuple)) else list(value)
        if name == "sources":
            values = [Path(one).read_bytes() if Path(one).is_file() else one for one in values]
        digest.update(f"{name}={values!r}\0".encode())
    return digest.hexdigest()[:32]


def _refuse_impossible(arguments: dict[str, Any], target: str) -> None:
    """What torch would fail at with a long text, or with an accident of its own. Raises RuntimeError with one line."""
    import torch
    from torch.utils import cpp_extension

    sources = arguments.get("sources") or []
    files = [sources] if isinstance(sources, str) else [str(one) for one in sources]
    if not arguments.get("cuda_sources") and not any(file.endswith((".cu", ".cuh")) for file in files):
        return
    if torch.version.cuda is None and torch.version.hip is None:
        raise RuntimeError("cuda_sources need a torch that is built with CUDA; the one here is for CPU only")
    if target in ("", "cpu"):
        raise RuntimeError("cuda_sources need a GPU, and this submission runs on the CPU; see --device")
    if torch.version.hip is None and cpp_extension.CUDA_HOME is None:
        raise RuntimeError("cuda_sources need nvcc, and torch finds none here: install the CUDA toolkit, set CUDA_HOME")


def toolchain() -> dict[str, str]:
    """What compiles extensions, for the report."""
    try:
        return {"ninja": importlib.metadata.version("ninja")}
    except importlib.metadata.PackageNotFoundError:
        return {}


@contextlib.contextmanager
def _environment(target: str, folder: Path) -> Iterator[None]:
    """Fix the architecture, and let torch find the ``ninja`` that is installed beside this Python."""
    before = dict(os.environ)
    found = re.fullmatch(r"sm_(\d+)(\d)([af]?)", target)
    if found:
        # torch asks the GPU without it, and there is none in the builder; it knows no family suffix (sm_120f)
        os.environ["TORCH_CUDA_ARCH_LIST"] = f"{found[1]}.{found[2]}{found[3].removesuffix('f')}"
    os.environ["TORCH_EXTENSIONS_DIR"] = str(folder / FOLDER)
    if shutil.which("ninja") is None:
        os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)
