"""The judge's number beside plain loops and ``do_bench``, the same kernel in the same minutes on the same card.

``python benchmarks/agreement.py --out benchmarks/results/agreement.json`` needs one NVIDIA GPU and about four minutes.
Each row is one kernel and size: E of the judge (sessions in fresh processes), E of the judge when it flushes by
writing, and the medians of ``benchmarks/loops.py``. All in microseconds; the ratios are what is to be looked at:
``E / read`` is 1 when the protocol distorts nothing, ``E write / do_bench`` is 1 for kernels bound by memory.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from resized import resized

from kernelbot_core.cli import errors_in_words
from kernelbot_core.engine.devices import find_device, require_free
from kernelbot_core.engine.run import judge_file
from kernelbot_core.model.submission import Measure
from kernelbot_core.packs.find import find_problems
from kernelbot_core.packs.load import load_problem
from kernelbot_core.plugins import registry

KERNELS = [
    ("vector_add", "right/torch_add.py", "fp32", {"n": 1 << 20}),
    ("vector_add", "right/torch_add.py", "fp32", {"n": 1 << 22}),
    ("vector_add", "right/torch_add.py", "fp32", {"n": 1 << 24}),
    ("vector_add", "right/torch_add.py", "fp32", {"n": 1 << 26}),
    ("matmul", "right/torch_matmul.py", "bf16", {"m": 1024, "n": 1024, "k": 1024}),
    ("matmul", "right/torch_matmul.py", "bf16", {"m": 4096, "n": 4096, "k": 4096}),
    ("matmul", "right/torch_matmul.py", "bf16", {"m": 8192, "n": 8192, "k": 8192}),
]
COLUMNS = ("E", "E write", "read", "write", "do_bench", "cudagraph", "back_to_back")


def pack(name: str) -> Path:
    """Folder of a problem."""
    return next(folder for folder in find_problems(registry().pack_sources) if folder.name == name)


def gated(device: str, folder: Path, sample: Path, dtype: str, flush: Literal["read", "write"]) -> dict[str, float]:
    """Median E of each size, seconds."""
    report = judge_file(
        registry(), load_problem(folder), sample, device=device, dtypes=[dtype], measure=Measure(flush=flush)
    )
    if report.status != "passed":
        raise SystemExit(f"{sample.name}: {report.status}: {report.reason}")
    return {case.size or "": case.stats.median for case in report.cases if case.stats is not None}


def looped(device: str, sample: Path, name: str, dtype: str, dims: dict[str, int]) -> dict[str, float]:
    """Medians of the plain loops, seconds."""
    vendor, chosen = find_device(registry(), device)
    env = os.environ | vendor.visible_env(chosen)
    given = [f"{key}={value}" for key, value in dims.items()]
    command = [sys.executable, str(Path(__file__).with_name("loops.py")), str(sample), "--problem", name]
    command += ["--dtype", dtype, "--dims", *given]
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=env)
    return dict(json.loads(done.stdout.splitlines()[-1]))


def measure(device: str, sessions: int) -> list[dict[str, object]]:
    """All rows."""
    rows: list[dict[str, object]] = []
    for name in dict.fromkeys(name for name, *_ in KERNELS):
        chosen = [(sample, dtype, dims) for one, sample, dtype, dims in KERNELS if one == name]
        sample, dtype = pack(name) / "samples" / chosen[0][0], chosen[0][1]
        with tempfile.TemporaryDirectory() as scratch:
            sizes = {f"s{number}": dims for number, (*_, dims) in enumerate(chosen)}
            folder = resized(pack(name), sizes, Path(scratch))
            read = [gated(device, folder, sample, dtype, "read") for _ in range(sessions)]
            write = [gated(device, folder, sample, dtype, "write") for _ in range(sessions)]
        for number, (_, _, dims) in enumerate(chosen):
            size = f"s{number}"
            row: dict[str, object] = {"kernel": f"{name} {dtype} {'x'.join(map(str, dims.values()))}"}
            row |= {"E": statistics.median(one[size] for one in read), "sessions": [one[size] for one in read]}
            row |= {"E write": statistics.median(one[size] for one in write)}
            rows.append(row | looped(device, sample, name, dtype, dims))
            show(rows[-1])
    return rows


def show(row: dict[str, object]) -> None:
    """One line of the table."""
    values = {column: float(row[column]) * 1e6 for column in COLUMNS}  # type: ignore[arg-type]  # a row holds text and lists too
    ratios = (values["E"] / values["read"], values["E write"] / values["do_bench"])
    print(
        f"{row['kernel']:32}" + "".join(f"{values[c]:13.2f}" for c in COLUMNS) + "".join(f"{r:9.3f}" for r in ratios),
        flush=True,
    )


def main() -> None:
    """Print the table and write the result file."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--device", default="cuda:0")
    parser.add_argument("--sessions", type=int, default=2)
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    vendor, chosen = find_device(registry(), args.device)
    require_free(vendor, chosen)
    print(f"{'kernel':32}" + "".join(f"{column:>13}" for column in (*COLUMNS,)) + f"{'E/read':>9}{'wr/do_b':>9}")
    rows = measure(args.device, args.sessions)
    if args.out:
        machine = {"device": chosen.label, "date": datetime.now(UTC).isoformat(timespec="seconds")}
        args.out.write_text(json.dumps({"what": "agreement", "unit": "seconds", **machine, "rows": rows}))


if __name__ == "__main__":
    with errors_in_words():
        main()
