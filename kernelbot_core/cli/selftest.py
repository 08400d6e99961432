"""``kernelbot selftest``: how well this machine can measure."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec
from rich.console import Console
from rich.table import Table
from rich.text import Text

from kernelbot_core.cli._console import plain_console
from kernelbot_core.cli._failure import GREY
from kernelbot_core.cli._table import print_table
from kernelbot_core.engine.bytecode import check_bytecode
from kernelbot_core.engine.devices import choose_device, require_free
from kernelbot_core.engine.hostfile import write_host
from kernelbot_core.engine.outfile import check_file, write_file
from kernelbot_core.engine.selftest import run_sessions
from kernelbot_core.engine.selftest.evaluate import Findings, Row, evaluate, host_file, raw_file
from kernelbot_core.errors import InfrastructureError, UsageError
from kernelbot_core.plugins import registry
from kernelbot_core.settings import load_settings
from kernelbot_core.text import one_line, percent, seconds

LANGUAGE = "torch"
FEWEST = 2
"""Sessions below which there is no spread."""


@click.command("selftest")
@click.option("--device", default="auto", show_default=True, metavar="ID", help="cpu, cuda:0 or auto.")
@click.option("--sessions", type=click.IntRange(FEWEST, 50), default=5, show_default=True,
              help="How often, in new processes.")  # fmt: skip
@click.option("--sandbox", metavar="NAME", help="Sandbox instead of the setting's.")
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE",
              help="Write the reports of all sessions as JSON, whatever they say.")  # fmt: skip
def command(device: str, sessions: int, sandbox: str | None, out: Path | None) -> None:
    """Judge known kernels against themselves: what the clocks of this machine can tell.

    On a GPU the spread that it finds is kept for the jobs that run on it.
    """
    found, settings, console = registry(), load_settings(sandbox=sandbox), plain_console()
    if out:
        check_file("--out", out)
    if LANGUAGE not in found.languages:
        raise UsageError(f"the selftest is written in {LANGUAGE}, which is not here", "see `kernelbot plugins`")
    vendor, chosen = choose_device(found, device, found.languages[LANGUAGE])
    noise, gpu = plain_console(stderr=True), chosen.kind == "gpu"
    require_free(vendor, chosen)
    console.print(Text(f"{chosen.id} · {one_line(chosen.name)}", "bold"), soft_wrap=True)
    if gpu:
        console.print("✓ nobody else on it, no MPS, no MIG, compute mode DEFAULT", soft_wrap=True)
    compiled = check_bytecode()
    if not compiled.ok:
        console.print(Text(f"{compiled.why}  ->  {compiled.fix}", "yellow"), soft_wrap=True)
    begun = lambda number: noise.print(Text(f"session {number} of {sessions}", GREY))  # noqa: E731 - one line says it
    reports = []
    for session in run_sessions(found, sessions, device=chosen.id, gpu=gpu, settings=settings, begun=begun):
        reports.append(session)
        if out:  # each time: what is broken off leaves its part
            write_file("--out", out, msgspec.json.encode(raw_file(reports, chosen)))
    findings = evaluate(reports)
    show(console, findings)
    if not gpu:
        console.print("a processor is ranked by the judge's own clock: there is nothing to attest", soft_wrap=True)
        return
    if findings.objections:
        raise InfrastructureError("; ".join(findings.objections), "see docs/how-to/gpu-box.md; nothing was kept")
    console.print("✓ the gate holds and opens (stream memory operations), clocks as they should be", soft_wrap=True)
    path = write_host(host_file(findings, reports, chosen, str(vendor.sample(chosen).get("driver", ""))))
    console.print(f"kept in {path}", soft_wrap=True)


def show(console: Console, found: Findings) -> None:
    """The table, and the figures that follow from it."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style=GREY)
    table.add_column("kernel", no_wrap=True)
    attested = any(row.excess for row in found.rows)  # else T is the time itself, nothing is taken off
    for title in ("time", "±", *(("T - c0", "excess per session, us") if attested else ())):
        table.add_column(title, justify="right", no_wrap=True)
    for row in found.rows:
        table.add_row(row.name, seconds(row.median), percent(row.resolution, 2), *(_clock(row) if attested else ()))
    print_table(console, table)
    if found.c0 is not None and attested:  # else no time is held against it
        console.print(f"c0  {seconds(found.c0)}: what a call of nothing takes by the judge's clock", soft_wrap=True)
    if found.s_T is not None:
        console.print(f"s_T {seconds(found.s_T)}: spread of the judge's clock over sessions", soft_wrap=True)
        console.print(f"tol {seconds(3 * found.s_T)} for one process, and the error of its calls: what a claimed time "
                      "may lie below the judge's", soft_wrap=True)  # fmt: skip


def _clock(row: Row) -> tuple[str, str]:
    """What the judge's clock says beside the ranked one."""
    return _signed(row.beyond), " ".join(f"{1e6 * one:+.2f}" for one in row.excess) or "-"


def _signed(value: float | None) -> str:
    return "-" if value is None else ("-" if value < 0 else "") + seconds(abs(value))
