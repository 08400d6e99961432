"""``kernelbot queue``: what waits and runs, and running it."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path

import click
from rich.table import Table

from kernelbot_core.cli._console import plain_console
from kernelbot_core.cli._options import dtype_option, size_option, some_id, store_option
from kernelbot_core.cli._queue import opened, short_time
from kernelbot_core.cli._say import json_option, print_json, say
from kernelbot_core.cli._table import print_table
from kernelbot_core.engine.accept import accept_file
from kernelbot_core.engine.devices import all_devices, find_device
from kernelbot_core.engine.queue import (
    Dispatcher,
    Queue,
    Update,
    cancel,
    enqueue,
    lanes,
    rerun,
    set_flow,
    ticket,
    tickets,
    wait_of,
)
from kernelbot_core.engine.user import login_name
from kernelbot_core.model.queue import Flow, Ticket
from kernelbot_core.model.submission import Mode
from kernelbot_core.packs.find import resolve
from kernelbot_core.settings import load_settings
from kernelbot_core.text import number, one_line


@click.group("queue")
def command() -> None:
    """Look at the queue, add to it, run it."""


@command.command("list")
@click.option("--device", metavar="ID", help="Only this device.")
@store_option
@json_option
def show_all(device: str | None, store: str | None, as_json: bool) -> None:
    """List what runs and waits, in the order of service."""
    with opened(store) as queue:
        live = [(found, wait_of(queue, found.id)) for found in tickets(queue, device=device)]
        live.sort(key=lambda pair: (pair[0].device, pair[1].position))
        flows = [lane for lane in lanes(queue) if device in (None, lane.device)]
    if as_json:
        print_json({"jobs": [{"job": found, "wait": wait} for found, wait in live], "devices": flows})
        return
    for lane in flows:
        if lane.flow != "open":
            say(f"{one_line(lane.device)} is {lane.flow}{f': {one_line(lane.reason)}' if lane.reason else ''}")
    if not live:
        say("nothing runs or waits")
        return
    table = Table("job", "device", "place", "user", "problem", "mode", "starts in", box=None)
    for found, wait in live:
        place = str(wait.position) if wait.position else found.state
        table.add_row(
            found.id, one_line(found.device), place, one_line(found.user), one_line(found.problem), found.mode,
            short_time(wait.starts_in) if wait.position else "",
        )  # fmt: skip
    print_table(plain_console(), table)


@command.command("position")
@click.argument("job_id", metavar="ID", callback=some_id)
@store_option
@json_option
def position(job_id: str, store: str | None, as_json: bool) -> None:
    """Say where job ID stands."""
    with opened(store) as queue:
        found = ticket(queue, job_id)
        wait = wait_of(queue, found.id)
    if as_json:
        print_json({"job": found, "wait": wait})
    elif wait.position:
        starts = "the device is paused" if wait.starts_in is None else f"starts in about {short_time(wait.starts_in)}"
        say(f"#{found.id}: {wait.position} of {wait.of} on {one_line(found.device)}, {starts}")
    else:
        say(_line(found))


@command.command("add")
@click.argument("problem")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--lang", metavar="L", help="Language; else from the header line, the suffix or the content.")
@click.option("--device", default="auto", show_default=True, metavar="ID", help="cpu, cuda:0 or auto.")
@click.option("--mode", type=click.Choice(["test", "benchmark", "ranked"]), default="ranked", show_default=True)
@click.option("--user", metavar="U", help="Name on the board; by default the login name.")
@click.option(
    "--priority", type=click.IntRange(-1000, 1000), default=0, show_default=True, help="Higher ones go first."
)
@size_option("Only these sizes.")
@dtype_option("Only these dtypes.")
@store_option
def add(
    problem: str,
    file: Path,
    lang: str | None,
    device: str,
    mode: Mode,
    user: str | None,
    priority: int,
    sizes: list[str],
    dtypes: list[str],
    store: str | None,
) -> None:
    """Add FILE to the queue and return at once; `kernelbot show ID` has the report later."""
    with opened(store, new=True) as queue:
        chosen = resolve(problem, queue.registry.pack_sources)
        job = accept_file(
            queue.registry, chosen, file, settings=load_settings(store=store), lang=lang, device=device, mode=mode,
            sizes=sizes, dtypes=dtypes, user=user,
        )  # fmt: skip
        added = enqueue(queue, job, priority=priority)
        wait = wait_of(queue, added.id)
        say(f"#{added.id} queued on {added.device}, {wait.position} of {wait.of}")


@command.command("cancel")
@click.argument("job_id", metavar="ID", callback=some_id)
@store_option
def take_back(job_id: str, store: str | None) -> None:
    """Take job ID back, whether it waits or runs."""
    with opened(store) as queue:
        found = cancel(queue, ticket(queue, job_id).id, actor=login_name())
    say(f"#{found.id} is being ended" if found.cancelling and found.live else _line(found))


@command.command("rerun")
@click.argument("job_id", metavar="ID", callback=some_id)
@store_option
def again(job_id: str, store: str | None) -> None:
    """Send the source of job ID again, as a new job."""
    with opened(store) as queue:
        say(_line(rerun(queue, job_id, actor=login_name())))


def _flow(name: str, flow: Flow, text: str) -> None:
    def change(device: str, reason: str, store: str | None) -> None:
        with opened(store, new=True) as queue:
            if device not in {lane.device for lane in lanes(queue)}:
                find_device(queue.registry, device)
            lane = set_flow(queue, device, flow, actor=login_name(), reason=reason)
        say(f"{lane.device} is {lane.flow}, {number(lane.waiting, 'job')} waiting")

    change.__doc__ = text
    wrapped = click.option("--reason", default="", metavar="TEXT", help="Shown to whoever waits.")(store_option(change))
    command.command(name)(click.argument("device")(wrapped))


_flow("pause", "paused", "Start no more jobs on DEVICE; new ones are taken and wait.")
_flow("drain", "draining", "Take no more jobs for DEVICE; those that wait are run.")
_flow("resume", "open", "Take and start jobs on DEVICE again.")


@command.command("serve")
@click.option("--device", "devices", multiple=True, metavar="ID", help="Only these; by default all there are.")
@click.option("--until-empty", is_flag=True, help="End when nothing waits or runs any more.")
@store_option
def serve(devices: Sequence[str], until_empty: bool, store: str | None) -> None:
    """Run the queue until interrupted.

    Ctrl-C or SIGTERM waits for what runs; a second one puts it back. Whatever ends this process, nothing is lost.
    """
    with opened(store, new=True) as queue:
        for device in devices:
            find_device(queue.registry, device)
        chosen = list(devices) or [device.id for device in all_devices(queue.registry)]
        dispatcher = Dispatcher(queue, chosen)
        dispatcher.subscribe(_tell)
        try:
            dispatcher.start()
            say(f"running the queue of {', '.join(chosen)}")
            _tell_of_paused(queue, chosen)
            _wait(queue, chosen, until_empty)
            dispatcher.stop()
        except KeyboardInterrupt:
            say("waiting for what runs; once more puts it back", err=True)
            _stop(dispatcher)


def _tell_of_paused(queue: Queue, devices: Sequence[str]) -> None:
    """Nothing would ever be seen to happen, and nothing said why."""
    for lane in lanes(queue):
        if lane.device in devices and lane.flow == "paused":
            why = f" ({one_line(lane.reason)})" if lane.reason else ""
            device = one_line(lane.device)
            say(f"{device} is paused{why} and starts no job before `kernelbot queue resume {device}`", err=True)


def _stop(dispatcher: Dispatcher) -> None:
    try:
        dispatcher.stop()
    except KeyboardInterrupt:
        dispatcher.stop(timeout=0)


def _wait(queue: Queue, devices: Sequence[str], until_empty: bool) -> None:
    never = threading.Event()
    while not (until_empty and not any(found.device in devices for found in tickets(queue))):
        never.wait(0.2 if until_empty else 3600)


def _tell(update: Update) -> None:
    if update.event is None:
        say(_line(update.ticket))


def _line(found: Ticket) -> str:
    end = f" ({found.status}: {one_line(found.reason)})" if found.status else ""
    where = f"{one_line(found.user)}, {one_line(found.problem)} on {one_line(found.device)}"
    return f"#{found.id} {found.state}: {where}{end}"
