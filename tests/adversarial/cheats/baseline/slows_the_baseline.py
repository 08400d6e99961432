# tries: threads that spin from import on, so that whatever it is compared with is slow
# problems: vector_add
# expect: no_gain
# mode: benchmark
# naive: none
# device: cpu
import threading


def spin():
    x = torch.rand(256, 256)
    while True:
        torch.matmul(x, x)


threading.Thread(target=spin, daemon=True).start()


def solve(*args):
    honest(*args)
