"""``kernelbot admin``: what maintainers do. Whoever can write the store's folder is one; each act is logged."""

from __future__ import annotations

import click
from rich.table import Table

from kernelbot_core.cli._console import plain_console
from kernelbot_core.cli._options import some_id, store_option
from kernelbot_core.cli._queue import moment, opened, utc
from kernelbot_core.cli._say import json_option, print_json, say
from kernelbot_core.cli._table import print_table
from kernelbot_core.engine import admin, queue
from kernelbot_core.engine.queue import ANY
from kernelbot_core.engine.user import login_name
from kernelbot_core.errors import UsageError
from kernelbot_core.model.queue import Release
from kernelbot_core.packs.find import resolve
from kernelbot_core.settings import load_settings
from kernelbot_core.text import one_line

reason_option = click.option("--reason", required=True, metavar="TEXT", help="Shown to the author, and logged.")


@click.group("admin")
def command() -> None:
    """Look after accounts, entries and boards."""


@command.command("ban")
@click.argument("account")
@reason_option
@click.option("--until", metavar="MOMENT", help="2026-01-31T18:00, UTC; by default for good.")
@store_option
def ban(account: str, reason: str, until: str | None, store: str | None) -> None:
    """Refuse jobs of ACCOUNT, and take back those that wait and run."""
    with opened(store, new=True) as kept:
        queue.ban(kept, account, actor=login_name(), reason=reason, until=None if until is None else moment(until))
    say(f"{account} is banned")


@command.command("unban")
@click.argument("account")
@store_option
def unban(account: str, store: str | None) -> None:
    """Take jobs of ACCOUNT again."""
    with opened(store) as kept:
        queue.unban(kept, account, actor=login_name())
    say(f"{account} is not banned any more")


@command.command("bans")
@store_option
@json_option
def bans(store: str | None, as_json: bool) -> None:
    """List who is banned."""
    with opened(store) as kept:
        found = queue.bans(kept)
    if as_json:
        print_json(found)
        return
    for one in found:
        until = "for good" if one.until is None else f"until {utc(one.until)} UTC"
        say(f"{one_line(one.account)} {until}: {one_line(one.reason)}")


@command.command("limit")
@click.argument("per_hour", metavar="N|default")
@click.option("--account", default=ANY, metavar="A", help="By default everybody.")
@click.option("--problem", default=ANY, metavar="P", help="By default every problem.")
@store_option
def limit(per_hour: str, account: str, problem: str, store: str | None) -> None:
    """Take N jobs an hour of each account at each problem; 0 takes none."""
    if per_hour != "default" and not (per_hour.isdecimal() and len(per_hour) < 20):
        raise UsageError(f"{one_line(per_hour, 40)!r} is no number of jobs an hour", "give a number, or default")
    with opened(store, new=True) as kept:
        number = None if per_hour == "default" else int(per_hour)
        if problem != ANY and number is not None:  # that of a problem which is gone can still be taken back
            problem = resolve(problem, kept.registry.pack_sources).name
        queue.set_limit(kept, number, actor=login_name(), account=account, problem=problem)
    whose = "everybody" if account == ANY else one_line(account)
    where = "every problem" if problem == ANY else one_line(problem)
    say(f"{whose} at {where}: {'no limit of its own any more' if number is None else f'{number} an hour'}")


@command.command("invalidate")
@click.argument("problem")
@click.argument("entry", callback=some_id)
@reason_option
@store_option
def invalidate(problem: str, entry: str, reason: str, store: str | None) -> None:
    """Take ENTRY (its id, or that of a job that made it) off the boards of PROBLEM."""
    with opened(store) as kept:
        found = admin.invalidate(kept, admin.find_entry(kept, problem, entry), actor=login_name(), reason=reason)
    say(f"entry {found.id} of {one_line(found.user)} is off the boards")


@command.command("reinstate")
@click.argument("problem")
@click.argument("entry", callback=some_id)
@store_option
def reinstate(problem: str, entry: str, store: str | None) -> None:
    """Put ENTRY back."""
    with opened(store) as kept:
        found = admin.reinstate(kept, admin.find_entry(kept, problem, entry), actor=login_name())
    say(f"entry {found.id} of {one_line(found.user)} is on the boards")


@command.command("rejudge")
@click.argument("problem")
@click.argument("entry", callback=some_id)
@store_option
def rejudge(problem: str, entry: str, store: str | None) -> None:
    """Run the code of ENTRY again, behind what people wait for."""
    settings = load_settings(store=store)
    with opened(store) as kept:
        chosen = resolve(problem, kept.registry.pack_sources)
        found = admin.find_entry(kept, chosen.name, entry)
        made = admin.rejudge(kept, chosen, found, settings, actor=login_name())
    say(f"#{made.id} queued on {made.device}")


@command.command("board")
@click.argument("problem")
@click.option("--deadline", metavar="MOMENT|none", help="Last moment for ranked jobs: 2026-01-31T18:00, UTC.")
@click.option("--private/--public", "private", default=None, help="Members only, or everybody.")
@click.option("--release", metavar="DAYS|first|never|pack", help="When code becomes public.")
@store_option
@json_option
def board(
    problem: str, deadline: str | None, private: bool | None, release: str | None, store: str | None, as_json: bool
) -> None:
    """Say something about PROBLEM, and show what was said."""
    actor = login_name()
    with opened(store, new=(deadline, private, release) != (None, None, None)) as kept:
        name = resolve(problem, kept.registry.pack_sources).name
        if deadline is not None:
            queue.set_deadline(kept, name, None if deadline == "none" else moment(deadline), actor=actor)
        if private is not None:
            queue.set_private(kept, name, private, actor=actor)
        if release is not None:
            queue.set_release(kept, name, None if release == "pack" else _release(release), actor=actor)
        rules = queue.board_rules(kept, name)
    if as_json:
        print_json(rules)
        return
    until = "no deadline" if rules.deadline is None else f"closes {utc(rules.deadline)} UTC"
    said = "as the pack says" if rules.release is None else str(rules.release)
    say(f"{name}: {'private' if rules.private else 'public'}, {until}, code: {said}")


@command.command("invite")
@click.argument("problem")
@click.option("--uses", type=click.IntRange(1, 10000), default=1, show_default=True)
@click.option("--until", metavar="MOMENT", help="2026-01-31T18:00, UTC.")
@store_option
def invite(problem: str, uses: int, until: str | None, store: str | None) -> None:
    """Print a new invite to the private board of PROBLEM; it cannot be shown again."""
    with opened(store, new=True) as kept:
        name = resolve(problem, kept.registry.pack_sources).name
        end = None if until is None else moment(until)
        say(queue.invite(kept, name, actor=login_name(), uses=uses, until=end))


@command.command("audit")
@click.option("--target", metavar="T", help="Only about this job, account, entry, device or problem.")
@click.option("--limit", "most", type=click.IntRange(1, 1_000_000), default=50, show_default=True, help="Lines.")
@store_option
@json_option
def audit(target: str | None, most: int, store: str | None, as_json: bool) -> None:
    """Show who did what, the latest first."""
    with opened(store) as kept:
        found = queue.audit_log(kept, target=target, limit=most)
    if as_json:
        print_json(found)
        return
    table = Table("when (UTC)", "who", "act", "what", "", box=None)
    for act in found:
        table.add_row(utc(act.at), *(one_line(text) for text in (act.actor, act.act, act.target, act.detail)))
    print_table(plain_console(), table)


def _release(text: str) -> Release:
    words: dict[str, Release] = {"first": "first", "never": "never"}
    if text in words:
        return words[text]
    if text.isdecimal():
        return int(text)
    raise UsageError(f"--release {text}", "give a number of days, first, never, or pack")
