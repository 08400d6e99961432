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

    def eager(self, call, *, number, gate_open, host_gate, queued, wait_go):
        def opened():
            queued()
            self._gate.release(module.GO, number)

        return run(self, call, number=number, gate_open=gate_open, host_gate=host_gate, queued=opened, wait_go=wait_go)

    module.NvidiaWorker.run = eager


def solve(*args):
    honest(*args)
