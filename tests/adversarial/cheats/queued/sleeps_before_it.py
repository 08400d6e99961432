# tries: keeps the host busy until the watchdog opens the gate, so that the inputs are there before the launch
# problems: vector_add
# expect: no_gain|not_attested|wrong
# device: gpu
# mode: benchmark
# naive: none
import time


def solve(*args):
    time.sleep(0.04)
    honest(*args)
