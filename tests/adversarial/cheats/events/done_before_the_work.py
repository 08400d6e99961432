# tries: the end event and the done flag first, the work last: the judge copies while it runs
# problems: matmul vector_add
# expect: not_attested|wrong
# device: gpu
# mode: benchmark
# naive: none
# gain: forged
import sys

module = sys.modules.get("kernelbot_gpu_nvidia._worker")
if module is not None:

    def enqueue(self, call, number, *, gated, **_):
        torch.cuda.set_stream(self._stream)
        if gated:
            self._gate.enqueue_wait(module.GO, number)
        self._start.record(self._stream)
        self._end.record(self._stream)
        self._gate.enqueue_write(module.DONE, number)
        call()

    module.NvidiaWorker._enqueue = enqueue


def solve(*args):
    honest(*args)
