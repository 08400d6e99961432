# tries: writes the gate's flag from the host as soon as everything is queued, before the judge has revealed anything
# problems: vector_add
# expect: wrong|not_attested|no_gain|protocol
# device: gpu
# mode: benchmark
# naive: none
import sys

module = sys.modules.get("kernelbot_gpu_nvidia._worker")
if module is not None:
    run = module.NvidiaWorker.run

    def eager(self, call, *, number, queued, **more):
        def opened():
            queued()
            self._gate.release(module.GO, number)

        return run(self, call, number=number, queued=opened, **more)

    module.NvidiaWorker.run = eager


def solve(*args):
    honest(*args)
