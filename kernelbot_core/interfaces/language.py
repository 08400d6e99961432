"""A programming language that submissions are written in."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from msgspec import Struct

if TYPE_CHECKING:
    from kernelbot_core.interfaces.sanitizer import Sanitizer
    from kernelbot_core.model.build import Build, BuildOrder
    from kernelbot_core.model.device import Availability, DeviceKind
    from kernelbot_core.model.problem import Problem, Signature

Solve = Callable[..., Any]
"""``solve(*inputs, *outputs, *scalars)``; tensors are torch tensors on the device."""


class Support(Struct, frozen=True, kw_only=True):
    """What a language can do on one kind of device."""

    run: str = ""
    """Why built code is not run there; empty when it is."""
    bench: str = ""
    """Why it is not timed there; empty when it is."""
    dtypes: dict[str, str] = {}
    """Dtype name (``bf16``) -> why it cannot be used there."""
    check_calls: int | None = None
    """Cap on the calls of a check case, for interpreters."""


class Language(ABC):
    r"""A language backend.

    A complete plugin, ``kernelbot_lang_numpy.py``::

        from pathlib import Path
        from kernelbot_core import Availability, Build, Language, hookimpl

        class Numpy(Language):
            name = "numpy"
            suffixes = (".np.py",)

            def available(self):
                return Availability(ok=True)

            def detect(self, source):
                return 0.9 if "import numpy" in source else 0.0

            def build(self, order, folder, out):
                (out / "kernel.py").write_text((folder / order.source).read_text())
                return Build(ok=True, entry="kernel.py")

            def load(self, artifact, build, dtype, signature):
                names = {}
                exec(compile((artifact / build.entry).read_text(), build.entry, "exec"), names)
                return lambda *args: names["solve"](*[a.numpy() if hasattr(a, "numpy") else a for a in args])

            def template(self, problem):
                return f"import numpy\n\ndef solve({', '.join(problem.signature.arguments)}):\n    ...\n"

        @hookimpl
        def kernelbot_register_languages():
            return [Numpy]

    and in its ``pyproject.toml``::

        [project.entry-points.kernelbot]
        lang_numpy = "kernelbot_lang_numpy"

    The class is instantiated without arguments in the controller, in the builder and in the worker; importing its
    module must be cheap (no torch, triton, cupy at module level).
    """

    name: ClassVar[str]
    """What ``--lang`` takes: ``[a-z][a-z0-9_]*``."""
    suffixes: ClassVar[tuple[str, ...]]
    """File suffixes, with the dot."""
    comment: ClassVar[str] = "#"
    """Start of a line comment, for header lines and for counting lines of code."""
    gate: ClassVar[Literal["stream", "host"]] = "stream"
    """``host``: the runtime has streams of its own, so the worker's host code waits at the gate."""

    @abstractmethod
    def available(self) -> Availability:
        """Whether the toolchain is here. Runs in: controller."""

    @abstractmethod
    def detect(self, source: str) -> float:
        """Confidence in [0, 1] that the text is of this language. Never executes it. Runs in: controller."""

    def support(self, kind: DeviceKind) -> Support:  # noqa: ARG002 - the default ignores it
        """What works on a kind of device. Runs in: controller and judge."""
        return Support()

    def toolchain(self) -> dict[str, str]:
        """Names and versions of the tools that build, for the report. Runs in: controller."""
        return {}

    @abstractmethod
    def build(self, order: BuildOrder, folder: Path, out: Path) -> Build:
        """Turn the source into an artifact.

        :param order: What to build; the source is ``folder / order.source``.
        :param folder: The builder's scratch folder, writable.
        :param out: The artifact folder; regular files written here reach the worker, read-only.
        :returns: ``Build(ok=False, text=...)`` when the participant's code does not build; raising means a bug of ours.

        Runs in: builder (no GPU, no network).
        """

    @abstractmethod
    def load(self, artifact: Path, build: Build, dtype: str, signature: Signature) -> Solve:
        """Make the built code callable, for one dtype label.

        May raise anything: whatever the participant's code raises at import is shown to them. Runs in: worker.
        """

    @abstractmethod
    def template(self, problem: Problem) -> str:
        """A starting point that builds, with the signature in place. Runs in: controller."""

    def sanitizer(self, kind: DeviceKind) -> Sanitizer | None:  # noqa: ARG002 - the default ignores it
        """The memory checker for this language on a kind of device, for ``--sanitize``. Runs in: controller, runner."""
        return None

    def environment(self, kind: DeviceKind) -> dict[str, str]:  # noqa: ARG002 - the default ignores it
        """Environment variables that builder and worker need on a kind of device. Runs in: runner."""
        return {}
