"""Every guarantee that the sandbox declares is proved in each mode by the conformance suite."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from ordinary import as_ordinary


def test_the_sandbox_conforms(mode, boxed):
    boxed(mode, "leaves_a_daemon")  # skips, loudly, where this mode does not work
    how = as_ordinary if mode == "user" else subprocess.run
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o777)
        command = [
            sys.executable, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", "--kernelbot-conformance",
            "--kernelbot-plugin=bwrap",
        ]  # fmt: skip
        env = {"PATH": os.environ["PATH"], "HOME": folder, "TMPDIR": folder}
        ran = how(command, env=env, cwd=folder, capture_output=True, text=True, check=False, timeout=300)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    [line] = [line for line in ran.stdout.splitlines() if line.startswith("sandbox bwrap:")]
    assert "failed" not in line
    assert "skipped" not in line  # it promises everything that is asked for
