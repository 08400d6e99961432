"""Every hook is really called, by the code that a person's command reaches, with the arguments of its specification."""

from __future__ import annotations

import click
import pytest
from msgspec.structs import replace

from kernelbot_core import (
    Availability,
    Executor,
    InfrastructureError,
    PackSource,
    RefusedError,
    Sandbox,
    hookimpl,
)
from kernelbot_core.cli import main
from kernelbot_core.cli._foreign import foreign_commands
from kernelbot_core.conformance import sample
from kernelbot_core.engine.accept import accept
from kernelbot_core.engine.record import record
from kernelbot_core.engine.run import run_job
from kernelbot_core.engine.sandbox import choose_sandbox
from kernelbot_core.interfaces.device import DeviceVendor
from kernelbot_core.interfaces.language import Language
from kernelbot_core.interfaces.ranking import Ranking
from kernelbot_core.interfaces.sandbox import WALLS
from kernelbot_core.interfaces.store import Store
from kernelbot_core.model.report import Throughput
from kernelbot_core.plugins import load_registry, plugin_registered, registry
from kernelbot_core.settings import Settings

SOURCE = "import torch\n\n\ndef solve(a, b, out, n):\n    torch.add(a, b, out=out)\n"


def concrete(base, **attributes):
    """A class that has everything its interface asks for, and does nothing."""
    nothing = dict.fromkeys(base.__abstractmethods__, lambda self, *args, **kwargs: None)
    return type(f"Some{base.__name__}", (base,), nothing | attributes)


def brings(hook, answer):
    """A plugin with one register hook."""

    def implementation(self):
        return answer

    implementation.__name__ = hook
    return type("Brings", (), {hook: hookimpl(implementation)})()


def listens(hook, arguments, heard, answer=None):
    """A plugin with one hook of these arguments, which notes what it is given."""
    names = {}
    exec(  # pluggy reads the argument names from the function itself
        f"def {hook}(self, {', '.join(arguments)}):\n"
        f"    heard.append(dict({', '.join(f'{a}={a}' for a in arguments)}))\n"
        "    return answer\n",
        {"heard": heard, "answer": answer},
        names,
    )
    return type("Listens", (), {hook: hookimpl(names[hook])})()


@pytest.fixture
def job():
    return accept(
        registry(), sample.problem(), SOURCE, "k.py", settings=Settings(), lang="torch", device="cpu", user="ada"
    )


@pytest.fixture
def store(tmp_path):
    opened = registry().stores["tinydb"](f"tinydb://{tmp_path}/board")
    yield opened
    opened.close()


class Fake(Executor):
    """Answers with a report at once."""

    name = "fake"

    def available(self):
        return Availability(ok=True)

    def capacity(self):
        return 1

    def run(self, job, on_event):
        return passed(job)


def passed(job):
    """A passed ranked report of the job, with times."""
    made = sample.report("00ff", {"small": 1e-3, "large": 2e-3})
    timed = Throughput(bytes_per_s=1.0, flops_per_s=1.0)
    return replace(
        made, cases=[replace(case, throughput=timed) for case in made.cases], language=job.submission.language,
        user="ada", started="2026-01-01T00:00:00+00:00",
    )  # fmt: skip


def with_fake(*plugins):
    return load_registry([brings("kernelbot_register_executors", [Fake]), *plugins])


def test_hook_register_languages():
    some = concrete(Language, name="some", suffixes=(".some",))
    found = load_registry([brings("kernelbot_register_languages", [some])])
    assert type(found.languages["some"]) is some


def test_hook_register_devices():
    some = concrete(DeviceVendor, name="some", prefix="some", judge="a:B", worker="a:C")
    found = load_registry([brings("kernelbot_register_devices", [some])])
    assert type(found.devices["some"]) is some


def test_hook_register_sandboxes():
    some = concrete(Sandbox, name="some", guarantees=frozenset())
    found = load_registry([brings("kernelbot_register_sandboxes", [some])])
    assert type(found.sandboxes["some"]) is some


def test_hook_register_executors():
    assert type(with_fake().executors["fake"]) is Fake


def test_hook_register_stores():
    some = concrete(Store, scheme="some")
    found = load_registry([brings("kernelbot_register_stores", [some])])
    assert found.stores["some"] is some


def test_hook_register_rankings():
    some = concrete(Ranking, name="some")
    found = load_registry([brings("kernelbot_register_rankings", [some])])
    assert type(found.rankings["some"]) is some


def test_hook_register_problem_packs(tmp_path):
    source = PackSource(name="mine", folder=tmp_path)
    found = load_registry([brings("kernelbot_register_problem_packs", [source])])
    assert found.pack_sources[-1] == source


def test_hook_register_bot_extensions():
    bot = pytest.importorskip("kernelbot_bot.app", reason="needs the extra bot")
    found = load_registry([brings("kernelbot_register_bot_extensions", ["mine.commands"])])
    assert bot.extensions(found)[-1] == "mine.commands"


def test_hook_select_executor(job):
    heard = []
    found = with_fake(listens("kernelbot_select_executor", ["job", "executors"], heard, "fake"))
    assert run_job(found, job).status == "passed"
    assert heard[0]["job"] is job
    assert {executor.name for executor in heard[0]["executors"]} >= {"fake", "local"}


def test_hook_select_executor_must_name_one_that_is_there(job):
    found = with_fake(listens("kernelbot_select_executor", ["job"], [], "elsewhere"))
    with pytest.raises(InfrastructureError):
        run_job(found, job)


def test_hook_select_sandbox():
    some = concrete(Sandbox, name="some", guarantees=WALLS, available=lambda self: Availability(ok=True))
    heard = []
    choice = listens("kernelbot_select_sandbox", ["sandboxes"], heard, "some")
    found = load_registry([brings("kernelbot_register_sandboxes", [some]), choice])
    assert choose_sandbox(found, Settings()) == "some"
    assert {box.name for box in heard[0]["sandboxes"]} == {"bwrap", "some"}


def test_hook_check_source():
    heard = []
    strict = listens("kernelbot_check_source", ["submission", "problem"], heard, ["no torch.add"])
    found = load_registry([strict, listens("kernelbot_check_source", ["submission"], heard, [])])
    with pytest.raises(RefusedError, match=r"no torch\.add"):
        accept(found, sample.problem(), SOURCE, "k.py", settings=Settings(), lang="torch", device="cpu")
    assert {seen["submission"].source for seen in heard} == {SOURCE}
    assert len(heard) == 2, "a strict answer must not hide the others"


def test_hook_check_report(job, store):
    heard = []
    found = load_registry([listens("kernelbot_check_report", ["job", "report"], heard, ["faster than light"])])
    report = passed(job)
    recorded = record(found, store, sample.problem(), job, report)
    assert recorded.entry is None
    assert recorded.objections == ["faster than light"]
    assert heard == [{"job": job, "report": report}]
    assert list(store.entries("conformance")) == []


def test_hook_before_run(job):
    heard = []
    run_job(with_fake(listens("kernelbot_before_run", ["job"], heard), chooses_fake()), job)
    assert heard == [{"job": job}]


def test_hook_after_run(job):
    heard = []
    report = run_job(with_fake(listens("kernelbot_after_run", ["job", "report"], heard), chooses_fake()), job)
    assert heard == [{"job": job, "report": report}]


def chooses_fake():
    return listens("kernelbot_select_executor", [], [], "fake")


def test_hook_leaderboard_changed(job, store):
    heard = []
    found = load_registry([listens("kernelbot_leaderboard_changed", ["problem", "entry", "rank"], heard)])
    recorded = record(found, store, sample.problem(), job, passed(job))
    assert heard == [{"problem": sample.problem(), "entry": recorded.entry, "rank": 1}]


def adds(*names):
    class Adds:
        @hookimpl
        def kernelbot_register_commands(self, cli):
            for name in names:
                cli.add_command(click.Command(name, callback=lambda: click.echo("it ran")))

    return Adds()


def test_hook_register_commands(capsys):
    with plugin_registered(adds("extra")), pytest.raises(SystemExit) as ended:
        main(["extra"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == "it ran\n"


def test_hook_register_commands_takes_nothing_away(caplog):
    class Raises:
        @hookimpl
        def kernelbot_register_commands(self, cli):
            raise RuntimeError("no")

    found = load_registry([Raises(), adds("run", "extra"), adds("extra", "more")])
    commands = foreign_commands(found, ["run"])
    assert sorted(commands) == ["bot", "extra", "more"]
    assert "the command run is refused, kernelbot itself has it already" in caplog.text
    assert "the command extra is refused, plugin adds_2 has it already" in caplog.text
    assert "plugin raises_1" in caplog.text
