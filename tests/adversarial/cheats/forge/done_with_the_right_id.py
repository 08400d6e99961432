# tries: the worker's own DONE, with the id of the open call found in a frame, before anything is computed
# problems: matmul vector_add
# expect: protocol|wrong
# naive: none
# gain: forged
import gc
import sys


def solve(*args):
    frame, call = sys._getframe(), None
    while frame is not None:
        call = frame.f_locals.get("message", call)
        frame = frame.f_back
    module = sys.modules["kernelbot_core.worker.loop"]
    for one in gc.get_objects():
        if isinstance(one, module.Worker):
            one._answer(module.Message(kind=module.Kind.DONE, id=call.id, scalars=(1e-6,)))
    honest(*args)
