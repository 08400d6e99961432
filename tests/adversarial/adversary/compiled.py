"""A submission loaded into this very process, through its language plugin: for the naive harness and the plain loop."""

import tempfile
from pathlib import Path

import torch

from kernelbot_core.model.build import BuildOrder
from kernelbot_core.packs.find import resolve
from kernelbot_core.plugins import registry

LABEL = "fp32"


def load(source, language, problem, label=LABEL):
    """``solve`` of a file; raises RuntimeError with the compiler's text."""
    found = registry()
    pack, plugin = resolve(problem, found.pack_sources), found.languages[language]
    folder = Path(tempfile.mkdtemp(prefix="adversary-"))
    work, out = folder / "work", folder / "out"
    work.mkdir()
    out.mkdir()
    (work / Path(source).name).write_text(Path(source).read_text())
    order = BuildOrder(
        language=f"{type(plugin).__module__}:{type(plugin).__qualname__}", source=Path(source).name, problem=problem,
        signature=pack.signature, bindings={label: pack.bindings[label]}, wanted=[label], target=target(),
    )  # fmt: skip
    build = plugin.build(order, work, out)
    if not build.ok:
        raise RuntimeError(build.text)
    return plugin.load(out, build, label, pack.signature), build


def target():
    """Architecture of the GPU here, with the suffix that opens Hopper's own instructions."""
    if not torch.cuda.is_available():
        return "cpu"
    major, minor = torch.cuda.get_device_capability()
    return f"sm_{major}{minor}{'a' if major >= 9 else ''}"


def load_cuda(source, problem):
    """``solve`` of a CUDA file."""
    return load(source, "cuda", problem)[0]
