"""Writes docs/reference/hooks.md from the docstrings of hookspecs.py: ``python tools/hooks_reference.py``."""

from __future__ import annotations

import ast
import inspect
import re
from pathlib import Path

from kernelbot_core import hookspecs

TARGET = Path(__file__).resolve().parents[1] / "docs/reference/hooks.md"
HEAD = """\
# Hooks

Every extension point there is, generated from `kernelbot_core/hookspecs.py` by `make docs`. A plugin implements a hook
by defining a function of that name with `@hookimpl`, taking any of the arguments:

```python
from kernelbot_core import hookimpl


@hookimpl
def kernelbot_after_run(job, report):
    print(job.problem.name, report.status)
```

Four kinds:

- **register**: everything that plugins bring is collected; a name that is claimed a second time is refused and both
  classes are named.
- **choose** (`firstresult`): the first answer that is not `None` wins; defaults are marked `trylast`.
- **object**: all answers count and any objection is enough, so a lenient plugin cannot hide a strict one. A check that
  raises has not consented: that is an objection in its name.
- **notify**: called one plugin at a time; one that raises is logged, the others still hear it.

Hooks are plain functions, never `async`. No hook can change a verdict, and none runs inside the judge or beside a
submission: workers scan no entry points.
"""


def specifications() -> list[ast.FunctionDef]:
    """The hooks, in the order of the file."""
    tree = ast.parse(inspect.getsource(hookspecs))
    found = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    return [node for node in found if node.name.startswith("kernelbot_")]


def signature(node: ast.FunctionDef) -> str:
    """``name(argument: Type) -> Type`` as it is written."""
    returns = ast.unparse(node.returns) if node.returns else "None"
    return f"{node.name}({ast.unparse(node.args)}) -> {returns}"


def kind(node: ast.FunctionDef) -> str:
    """register, choose, object or notify: the heading that the hook stands under."""
    text = inspect.getsource(hookspecs).splitlines()[: node.lineno]
    return next(m[1] for line in reversed(text) if (m := re.match(r"# --- (\w+)", line)))


def entry(node: ast.FunctionDef) -> str:
    """One hook as Markdown."""
    text = ast.get_docstring(node) or ""
    text = re.sub(r"``(.*?)``", r"`\1`", text)
    text = re.sub(r":param (\w+): ", r"- `\1`: ", text)
    text = re.sub(r":returns: ", "- returns: ", text)
    text = re.sub(r"Runs in: (.*?)\.?$", r"*Runs in: \1.*", text)
    return f"## {node.name}\n\n*{kind(node)}*\n\n```python\n{signature(node)}\n```\n\n{text}\n"


def reference() -> str:
    """The whole document."""
    return "\n".join([HEAD, *map(entry, specifications())])


if __name__ == "__main__":
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_text(reference())
