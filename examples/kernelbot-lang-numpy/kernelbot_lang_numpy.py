"""NumPy as a language: ``solve`` gets arrays that share their memory with the judged tensors."""

from __future__ import annotations

from kernelbot_core import Availability, Language, Support, build_python, hookimpl, load_python


class Numpy(Language):
    """``k.np.py`` files."""

    name = "numpy"
    suffixes = (".np.py",)

    def available(self):
        return Availability(ok=True)

    def support(self, kind):
        return Support(run="numpy computes on the processor" if kind == "gpu" else "", dtypes={"bf16": "not in numpy"})

    def detect(self, source):
        return 0.9 if "import numpy" in source and "import torch" not in source else 0.0

    def build(self, order, folder, out):
        return build_python(order, folder, out)

    def load(self, artifact, build, dtype, signature):
        solve = load_python(artifact, build)
        return lambda *args: solve(*[a.numpy() if hasattr(a, "numpy") else a for a in args])

    def template(self, problem):
        return f"import numpy as np\n\n\ndef solve({', '.join(problem.signature.arguments)}):\n    ...\n"


@hookimpl
def kernelbot_register_languages():
    """Bring the language ``numpy``."""
    return [Numpy]
