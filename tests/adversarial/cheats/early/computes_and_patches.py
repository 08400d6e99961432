# tries: computes before the gate, keeps the inputs it saw, and repairs the rows whose inputs were corrected since
# problems: matmul
# expect: wrong|no_gain|not_attested
# mode: benchmark
# naive: settle=0
# device: cpu
import threading
import time

sets, ready = {}, {}


def marks(args):
    return [float(t.reshape(-1)[at]) for t in args[:INPUTS] for at in (0, -1)]


def watch():
    last = {}
    while True:
        for key in list(sets):
            args = sets[key]
            now = marks(args)
            if now != last.get(key):
                last[key] = now
                time.sleep(0.0005)
                a, b = args[0].clone(), args[1].clone()
                ready[key] = (a, b, a @ b)


def solve(a, b, c, m, n, k):
    key = c.data_ptr()
    if key not in sets:
        sets[key] = (a, b, c, m, n, k)
        if len(sets) == 1:
            threading.Thread(target=watch, daemon=True).start()
    early = ready.get(key)
    if early is None:
        honest(a, b, c, m, n, k)
        return
    old_a, old_b, product = early
    rows = (a != old_a).any(1).nonzero().flatten()
    columns = (b != old_b).any(0).nonzero().flatten()
    if len(rows) > m // 3 or len(columns) > n // 3:
        honest(a, b, c, m, n, k)
    else:
        c.copy_(product)
        c[rows] = a[rows] @ b
        c[:, columns] = a @ b[:, columns]
