"""The judge's session runs the pack's code, so that its requests may be anything."""

import os
import socket

import pytest

from kernelbot_core.runner.wire import serve


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
