"""The judge's session runs the pack's code, so that its requests may be anything; replies hold what strangers print."""

import os
import socket
import threading
from pathlib import Path

import pytest

from kernelbot_core import Exit
from kernelbot_core.interfaces.runner import Artifact
from kernelbot_core.model.build import Build
from kernelbot_core.runner.wire import RemoteRunner, serve


class Nothing:
    """A runner without processes."""

    def kill(self, number, why):
        return [][number]


@pytest.mark.parametrize(
    "request_",
    [b"not json", b"\xff", b'{"verb": "REBOOT"}', b'{"verb": "KILL"}'],
    ids=["text", "bytes", "verb", "number"],
)
def test_nonsense_ends_the_conversation(request_):
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    judge = os.pidfd_open(os.getpid())
    with ours, theirs:
        theirs.send(request_)
        serve(ours, judge, Nothing())
        theirs.setblocking(False)
        with pytest.raises(BlockingIOError):
            theirs.recv(1)
    os.close(judge)


class Talkative:
    """A runner whose processes have printed as much as is kept of them."""

    def __init__(self, text):
        self.text = text

    def exit(self, number, timeout):
        return Exit(code=number, output=self.text)

    def artifact(self):
        return Artifact(build=Build(ok=False, text=self.text))


def open_descriptors():
    return len(list(Path("/proc/self/fd").iterdir()))


@pytest.mark.parametrize("sign", ["x", "\x01", "\ufffd", "\U0001f600", '"'])
def test_whatever_was_printed_reaches_the_judge(sign):
    text, before = sign * (1 << 16), open_descriptors()
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    judge = os.pidfd_open(os.getpid())
    with ours:
        serving = threading.Thread(target=serve, args=(ours, judge, Talkative(text)))
        serving.start()
        remote = RemoteRunner(theirs.detach())
        assert remote.exit(3, 0) == Exit(code=3, output=text)
        assert remote.artifact().build.text == text
        remote._socket.close()
        serving.join()
    os.close(judge)
    assert open_descriptors() == before
