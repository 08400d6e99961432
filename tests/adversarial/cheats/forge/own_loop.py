# tries: takes the socket over at import and answers every message by itself, without computing anything
# problems: vector_add softmax
# expect: wrong|protocol|crashed
# naive: none
# gain: forged
import os
import socket
import sys

if "kernelbot_core.worker.loop" in sys.modules and len(sys.argv) > 2:
    from kernelbot_core.model.message import SIZE, Kind, Message

    control = socket.socket(fileno=os.dup(int(sys.argv[1])))
    control.setblocking(True)
    frame, call = sys._getframe(), None
    while frame is not None:
        if call is None and isinstance(frame.f_locals.get("message"), Message):
            call = frame.f_locals["message"]
        frame = frame.f_back
    while True:
        if call is not None:
            gated = call.kind == Kind.CALL and not call.flags & 2
            if gated:
                control.send(Message(kind=Kind.QUEUED, id=call.id).pack())
            if call.kind != Kind.GO or True:
                control.send(Message(kind=Kind.DONE, id=call.id, scalars=(1e-6,)).pack())
        data = socket.recv_fds(control, SIZE, 250)[0]
        if not data:
            os._exit(0)
        call = Message.unpack(data)


def solve(*args):
    honest(*args)
