# tries: the worker's message loop replaced by one that says done first and computes afterwards
# problems: matmul
# expect: wrong|protocol|no_gain
# mode: benchmark
# naive: none
import sys

loop = sys.modules.get("kernelbot_core.worker.loop")
if loop is not None:
    run = loop.Worker._call

    def early(self, message):
        if message.flags & loop.Flag.NULL:
            return run(self, message)
        if not message.flags & loop.Flag.OPEN:
            self._answer(loop.Message(kind=loop.Kind.QUEUED, id=message.id))
            if self._order.device.endswith("CpuWorker"):
                self._wait_go(message.id)
        self._answer(loop.Message(kind=loop.Kind.DONE, id=message.id, scalars=(1e-6,)))
        self._bound(message)()

    loop.Worker._call = early


def solve(*args):
    honest(*args)
