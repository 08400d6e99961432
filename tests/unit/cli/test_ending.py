"""How a command ends that is told to, or that cannot go on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from kernelbot_core.cli import main


def test_an_interrupt_is_one_line(call, kernel, world):
    def stop(job):
        raise KeyboardInterrupt

    world.answer = stop
    code, out, err = call("run", "twice", kernel)
    assert (code, out) == (130, "")
    assert err.strip().splitlines() == ["interrupted"]


def test_a_signal_to_end_is_an_interrupt_and_only_until_the_command_has_ended(call, kernel, world):
    before = signal.getsignal(signal.SIGTERM)
    world.answer = lambda job: os.kill(os.getpid(), signal.SIGTERM)
    code, _, err = call("run", "twice", kernel)
    assert (code, err.strip().splitlines()) == (130, ["interrupted"])
    assert signal.getsignal(signal.SIGTERM) is before


def test_a_bug_keeps_its_traceback(world, kernel):
    def bug(job):
        raise ZeroDivisionError

    world.answer = bug
    with pytest.raises(ZeroDivisionError):
        main(["run", "twice", str(kernel)])


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
def test_a_full_disk_is_one_line():
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "kernelbot_core", "problems"], stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert done.returncode == 3
    assert done.stderr == "error: cannot write the output: No space left on device\n"


@pytest.mark.parametrize("argv", [["problems"], ["--help"], ["template", "vector_add", "--lang", "torch"]])
def test_a_closed_output_is_no_traceback(argv):
    command = f"exec {sys.executable} -m kernelbot_core {' '.join(argv)} >&-"
    done = subprocess.run(["sh", "-c", command], stderr=subprocess.PIPE, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_file_never_gets_the_number_of_a_closed_output(tmp_path):
    script = (
        "import sys; from kernelbot_core.cli import _open_streams; _open_streams()\n"
        "print('printed', flush=True); print('said', file=sys.stderr, flush=True)\n"
        f"with open({str(tmp_path / 'kept')!r}, 'w') as kept: print(kept.fileno(), file=kept)\n"
    )
    done = subprocess.run(["sh", "-c", 'exec "$0" -c "$1" <&- >&- 2>&-', sys.executable, script])
    assert done.returncode == 0
    assert int((tmp_path / "kept").read_text()) > 2


def test_a_reader_that_is_gone_is_no_verdict():
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "kernelbot_core", "problems"], stdout=writing, stderr=subprocess.PIPE, text=True
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (3, "")
