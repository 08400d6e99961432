# expect: protocol|crashed|build_failed
# Each answer to the judge brings a connection whose close waits until the other end has read, and that end is on its way
# to the judge too: whoever receives both would wait for itself.
import array
import gc
import socket
import struct

from kernelbot_core.worker.loop import Worker


def send(line, data, *ends):
    descriptors = array.array("i", [end.fileno() for end in ends])
    line.sendmsg([data], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, descriptors)])


def answer(self, message):
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        door.listen(1)
        full = socket.create_connection(door.getsockname())
        peer, _ = door.accept()
    full.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 1000))
    full.setblocking(False)
    try:
        while full.send(b"x" * 65536):
            pass
    except BlockingIOError:
        pass
    send(self._control, message.pack(), full)
    send(self._control, b"y", peer)
    full.close()
    peer.close()


if any(isinstance(one, Worker) for one in gc.get_objects()):
    Worker._answer = answer


def solve(a, b, out, n):
    out.copy_(a + b)
