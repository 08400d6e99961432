"""Every rule that is applied before anything runs, and one clear line for each that is broken."""

from __future__ import annotations

import dataclasses
import os

import msgspec
import pytest

from kernelbot_core import Availability, hookimpl
from kernelbot_core.engine import accept as accepting
from kernelbot_core.engine.accept import accept, accept_file, new_id
from kernelbot_core.engine.sandbox import choose_sandbox
from kernelbot_core.errors import InfrastructureError, PluginError, RefusedError, UsageError
from kernelbot_core.interfaces.sandbox import Sandbox
from kernelbot_core.model.device import DeviceInfo
from kernelbot_core.plugins import load_registry
from kernelbot_core.settings import Settings


@pytest.fixture
def take(world, problem, kernel):
    """``take(source=..., **what accept_file takes)``."""

    def make(source=None, file=kernel, **more):
        if source is not None:
            file.write_bytes(source if isinstance(source, bytes) else source.encode())
        return accept_file(world.registry, problem, file, **{"device": "cpu", **more})

    return make


def refused(caught, *words):
    for word in words:
        assert word in f"{caught.value.message} | {caught.value.hint}"
    assert "\n" not in caught.value.message
    assert caught.value.hint
    return True


def test_a_name_is_written_one_way(take):
    assert take(user=" Ada  Lovelace ").submission.user == "Ada Lovelace"
    assert take(user="Rene\u0301").submission.user == take(user="Ren\u00e9").submission.user
    assert take(user="\u6771 \U0001f680").submission.user == "\u6771 \U0001f680"


def test_a_job_has_everything(take, problem, kernel):
    job = take()
    assert job.submission.source == kernel.read_text()
    assert (job.submission.language, job.submission.user, job.submission.filename) == ("torch", "ada", "kernel.py")
    assert (job.mode, job.device, job.seed, job.sandbox) == ("benchmark", "cpu", 7, "bwrap")
    assert job.problem == problem
    assert job.limits == problem.file.limits
    assert take(seed=3).seed == 3


@pytest.mark.parametrize(
    ("source", "error", "says"),
    [
        (b"", UsageError, "empty"),
        (b" \n\t\n", UsageError, "empty"),
        (b"a\x00b", UsageError, "NUL"),
        (b"\x7fELF\xff\xfe", UsageError, "byte 4 is not UTF-8"),
        (b"x = 1\n" * 1000, RefusedError, "limit of 100 bytes"),
    ],
)
def test_a_file_that_is_no_source(take, source, error, says):
    with pytest.raises(error) as caught:
        take(source, settings=Settings(max_source=100))
    assert refused(caught, "kernel.py", says)


def test_the_largest_file_that_is_allowed(take):
    source = "import torch\n#" + "x" * 87
    assert take(source, settings=Settings(max_source=len(source)), lang="torch").submission.source == source


def test_a_byte_order_mark_is_no_part_of_the_source(take):
    assert take(b"\xef\xbb\xbfimport torch\n").submission.source == "import torch\n"


def test_a_path_that_is_no_file(take, tmp_path):
    with pytest.raises(UsageError) as caught:
        take(file=tmp_path / "nothing.py")
    assert refused(caught, "no such file")
    with pytest.raises(UsageError) as caught:
        take(file=tmp_path)
    assert refused(caught, "is a folder")
    os.mkfifo(tmp_path / "pipe.py")
    with pytest.raises(UsageError) as caught:
        take(file=tmp_path / "pipe.py")
    assert refused(caught, "not a regular file")
    with pytest.raises(UsageError) as caught:
        take(file=tmp_path / ("x" * 300))
    assert refused(caught, "name too long")


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"sizes": ["huge"]}, ("no size huge", "small, medium, large")),
        ({"dtypes": ["fp64"]}, ("no dtype fp64", "fp32, fp16")),
        ({"lang": "fortran"}, ("fortran", "torch")),
        ({"lang": "triton"}, ("does not take triton", "torch, cuda")),
        ({"device": "cuda:99"}, ("cuda:99",)),
        ({"device": "tpu"}, ("no device tpu", "cpu")),
        ({"mode": "ranked", "seed": 1}, ("--seed", "secret")),
        ({"user": "b\u043eb"}, ("no name", "--user")),
    ],
)
def test_a_wish_that_cannot_be_met(take, more, words):
    with pytest.raises(UsageError) as caught:
        take(**more)
    assert refused(caught, *words)


@pytest.mark.parametrize(
    ("header", "words"),
    [
        ("#!kernelbot problem matmul", ("matmul", "twice", "kernel.py")),
        ("#!kernelbot dtypes fp32 fp8_e4m3", ("header line of kernel.py", "fp8_e4m3")),
        ("#!kernelbot language cuda", ("cuda", "torch")),
        ("#!kernelbot colour red", ("kernel.py:1: ", "colour")),
    ],
)
def test_a_header_that_disagrees(take, header, words):
    with pytest.raises(UsageError) as caught:
        take(f"{header}\nimport torch\n", lang="torch")
    assert refused(caught, *words)


def test_a_header_that_agrees(take):
    job = take("#!kernelbot problem twice\n#!kernelbot dtypes fp16\n#!kernelbot language torch\n1\n")
    assert job.submission.language == "torch"


def test_names_are_taken_once_and_in_the_order_of_the_problem(take):
    chosen = take(sizes=["medium", "small", "medium"], dtypes=["fp16"]).selection
    assert (chosen.sizes, chosen.dtypes) == (["small", "medium"], ["fp16"])


def test_the_header_chooses_among_devices_when_the_command_does_not(world, problem, monkeypatch):
    cards = [
        DeviceInfo(id=f"cuda:{n}", kind="gpu", index=n, label=label, name=label)
        for n, label in enumerate(("T4", "H200"))
    ]
    monkeypatch.setattr(accepting, "all_devices", lambda registry: cards)

    def device(gpu, wanted="auto"):
        source = f"#!kernelbot gpu {gpu}\n1\n"
        more = {"settings": Settings(), "lang": "torch", "device": wanted}
        return accept(world.registry, problem, source, "k.py", **more).device

    assert device("h200") == "cuda:1"
    assert device("h200", "cpu") == "cpu"
    with pytest.raises(UsageError) as caught:
        device("B200")
    assert refused(caught, "B200", "cuda:0 (T4)", "--device")


def test_a_language_without_its_toolchain_is_refused_with_the_fix(world, take, monkeypatch):
    missing = Availability(ok=False, why="nvcc is not there", fix="install the toolkit")
    monkeypatch.setattr(type(world.registry.languages["cuda"]), "available", lambda self: missing)
    with pytest.raises(UsageError) as caught:
        take("__global__ void f();", lang="cuda")
    assert refused(caught, "nvcc is not there", "install the toolkit")


def test_nobody_has_a_login_name(monkeypatch, take):
    def nobody():
        raise OSError("no username")

    monkeypatch.setattr("getpass.getuser", nobody)
    assert take().submission.user == "unknown"
    assert take(user=" bob ").submission.user == "bob"


def test_ids_are_unique_and_sort_by_time(monkeypatch):
    clock = iter(range(1_800_000_000, 1_800_000_100))
    monkeypatch.setattr("time.time", lambda: next(clock))
    ids = [new_id() for _ in range(50)]
    assert ids == sorted(ids)
    assert len({new_id() for _ in range(50)}) == 50
    assert {len(name) for name in ids} == {13}
    assert all(name.isalnum() and name.islower() for name in ids)


def sandbox(box, *guarantees, ok=True):
    available = Availability(ok=ok, why="" if ok else "no kernel support", fix="" if ok else "boot another")
    members = {"name": box, "guarantees": frozenset(guarantees), "start": None, "available": lambda self: available}
    return type("Box", (Sandbox,), members)


def boxes(*classes, chosen=None):
    class Plugin:
        """Sandboxes and an opinion."""

        @hookimpl
        def kernelbot_register_sandboxes(self):
            return classes

        @hookimpl
        def kernelbot_select_sandbox(self):
            return chosen

    registry = load_registry([Plugin()])
    mine = {
        name: box for name, box in registry.sandboxes.items() if name in {c.name for c in classes} or name == "process"
    }
    return replace_sandboxes(registry, mine)


def replace_sandboxes(registry, sandboxes):
    return dataclasses.replace(registry, sandboxes=sandboxes)


ALL = ("kill_all", "memory", "network", "filesystem")
WALLS, BROKEN = sandbox("walls", *ALL, *"abcd"), sandbox("broken", *ALL, *"abcdefghijkl", ok=False)
OPEN_HERE = Settings(require_sandbox=False)


def test_the_sandbox_with_the_most_guarantees_that_works():
    assert choose_sandbox(boxes(WALLS, BROKEN), Settings()) == "walls"
    assert choose_sandbox(boxes(), OPEN_HERE) == "process"
    assert choose_sandbox(boxes(BROKEN), OPEN_HERE) == "process"


def test_a_sandbox_that_is_named():
    assert choose_sandbox(boxes(WALLS), Settings(sandbox="process", require_sandbox=False)) == "process"
    with pytest.raises(UsageError, match="no sandbox cage"):
        choose_sandbox(boxes(WALLS), Settings(sandbox="cage"))
    with pytest.raises(UsageError, match="no kernel support") as caught:
        choose_sandbox(boxes(BROKEN), Settings(sandbox="broken"))
    assert caught.value.hint == "boot another"


def test_walls_that_are_required():
    strict = Settings()
    assert choose_sandbox(boxes(WALLS, chosen="walls"), strict) == "walls"
    with pytest.raises(InfrastructureError, match="broken: no kernel support") as caught:
        choose_sandbox(boxes(BROKEN), strict)
    assert "boot another" in caught.value.hint
    assert "--unsafe" in caught.value.hint
    with pytest.raises(InfrastructureError, match="none with walls is installed"):
        choose_sandbox(boxes(), strict)
    with pytest.raises(UsageError, match="require_sandbox"):
        choose_sandbox(boxes(WALLS), Settings(sandbox="process"))
    with pytest.raises(PluginError, match="process"):
        choose_sandbox(boxes(WALLS, chosen="process"), strict)


def test_no_sandbox_at_all(world):
    with pytest.raises(InfrastructureError, match="no sandbox works"):
        choose_sandbox(replace_sandboxes(world.registry, {}), Settings())


def test_what_a_plugin_objects_to_is_refused_with_every_line(problem, kernel):
    def objects(*lines):
        class Plugin:
            """Objects."""

            name = f"objects{len(lines)}"

            @hookimpl
            def kernelbot_check_source(self, submission, problem):
                return [f"{line} in {submission.filename} for {problem.name}" for line in lines]

        return Plugin()

    registry = load_registry([objects("goto"), objects(), objects("eval", "exec")])
    with pytest.raises(RefusedError) as caught:
        accept_file(registry, problem, kernel, device="cpu")
    assert refused(caught, "goto in kernel.py for twice", "eval", "exec")


def test_a_file_name_in_another_encoding_becomes_text(take, tmp_path):
    path = tmp_path / os.fsdecode(b"k\xff.py")
    path.write_text("import torch\n")
    job = take(file=path)
    assert job.submission.filename == "k\N{REPLACEMENT CHARACTER}.py"
    assert msgspec.json.encode(job)
