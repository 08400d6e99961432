# tries: says done with a tenth of each half left and writes that while the judge copies what lies before it
# problems: vector_add
# expect: wrong
# mode: benchmark
# naive: none
# gain: forged
# device: cpu
# ci: no
import sys

from kernelbot_core.model.message import Kind, Message

told = {}


def say_done():
    frame = sys._getframe()
    while frame is not None and "message" not in frame.f_locals:
        frame = frame.f_back
    if frame is None:
        return
    worker, call = frame.f_locals["self"], frame.f_locals["message"]
    if call.kind is not Kind.CALL or call.flags:
        return
    send = type(worker)._answer
    worker._answer = lambda said: None if said.id == told.get("id") and said.kind is Kind.DONE else send(worker, said)
    told["id"] = call.id
    send(worker, Message(kind=Kind.DONE, id=call.id, scalars=(1e-4,)))


def solve(a, b, out, n):
    half = n // 2
    most = half - half // 10
    for start, stop in ((0, most), (half, half + most)):
        torch.add(a[start:stop], b[start:stop], out=out[start:stop])
    say_done()
    for start, stop in ((most, half), (half + most, n)):
        torch.add(a[start:stop], b[start:stop], out=out[start:stop])
