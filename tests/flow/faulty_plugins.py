"""Plugins that each break one promise, for :mod:`test_conformance`. Loaded with ``-p``; never imported by a test."""

from __future__ import annotations

import os
import sys

from kernelbot_core import Availability, Build, Language, hookimpl
from kernelbot_core.plugins import load_registry, registry, use_registry


class Sound(Language):
    """Breaks none: a language of texts that begin with ``solve``."""

    name = "sound"
    suffixes = (".sound",)

    def available(self):
        return Availability(ok=True)

    def detect(self, source):
        return 0.9 if source.startswith("solve") else 0.0

    def build(self, order, folder, out):
        text = (folder / order.source).read_text()
        if not text.startswith("solve"):
            return Build(ok=False, text=f"{order.source}:1: must begin with solve")
        (out / "kernel").write_text(text)
        return Build(ok=True, entry="kernel")

    def load(self, artifact, build, dtype, signature):
        raise NotImplementedError  # the test does not get so far

    def template(self, problem):
        return f"solve({', '.join(problem.signature.arguments)})\n"


class Sure(Sound):
    """More than certain."""

    name = "sure"
    suffixes = (".sure",)

    def detect(self, source):
        return 1.7


class Greedy(Sound):
    """Claims every Python file."""

    name = "greedy"
    suffixes = (".py",)

    def detect(self, source):
        return 0.99 if source else 0.0


class Raising(Sound):
    """Treats a mistake of the participant as an accident."""

    name = "raising"
    suffixes = (".raising",)

    def build(self, order, folder, out):
        built = super().build(order, folder, out)
        if not built.ok:
            raise RuntimeError("compiler failed")
        return built


class Leaking(Sound):
    """Leaves something in the process that the next build sees."""

    name = "leaking"
    suffixes = (".leaking",)

    def build(self, order, folder, out):
        os.environ["EXTRA_FLAGS"] = order.source
        return super().build(order, folder, out)


class Lottery(type(registry().rankings["geomean"])):
    """Counts the best run instead of the median."""

    name = "lottery"

    def board(self, problem, entries, *, dtype, size=None):
        from msgspec.structs import replace

        best = [
            replace(entry, runs=[min(entry.runs, key=lambda run: sum(r.median for r in run.results))])
            for entry in entries
        ]
        return super().board(problem, best, dtype=dtype, size=size)


class Talkative(type(registry().sandboxes["process"])):
    """Hands the caller's whole environment to the submission."""

    name = "talkative"

    def start(self, command, *, env, **rest):
        return super().start(command, env=dict(os.environ) | env, **rest)


class Forgetful(registry().stores["tinydb"]):
    """Keeps the last run only."""

    scheme = "forgetful"

    def __init__(self, url):
        super().__init__(url.replace("forgetful://", "tinydb://"))

    def add_run(self, entry, run):
        stored = super().add_run(entry, run)
        return stored.__class__(**{f: getattr(stored, f) for f in stored.__struct_fields__} | {"runs": [run]})


@hookimpl
def kernelbot_register_languages():
    """Bring the languages."""
    return [Sound, Sure, Greedy, Raising, Leaking]


@hookimpl
def kernelbot_register_rankings():
    """Bring the ranking."""
    return [Lottery]


@hookimpl
def kernelbot_register_sandboxes():
    """Bring the sandbox."""
    return [Talkative]


@hookimpl
def kernelbot_register_stores():
    """Bring the store."""
    return [Forgetful]


# Known to this process before the suite chooses what it checks.
KEPT = use_registry(load_registry([sys.modules[__name__]]))
KEPT.__enter__()
