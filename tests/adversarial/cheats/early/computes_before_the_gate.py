# tries: a thread that sees the inputs appear and computes before the gate opens; the call itself only copies
# problems: matmul softmax
# expect: wrong|no_gain|not_attested
# mode: benchmark
# naive: settle=0
import threading
import time

sets, ready, busy = {}, {}, threading.Lock()
side = torch.cuda.Stream() if torch.cuda.is_available() else None


def work(key):
    args = sets[key]
    mine = (*args[:INPUTS], torch.empty_like(args[INPUTS]), *args[INPUTS + 1 :])
    honest(*mine)
    return mine[INPUTS]


def marks(args):
    return [float(t.reshape(-1)[at]) for t in args[:INPUTS] for at in (0, -1)]


def watch():
    last = {}
    while True:
        for key in list(sets):
            with torch.cuda.stream(side):
                now = marks(sets[key])
                if now != last.get(key):
                    time.sleep(0.0005)  # until the rest of it is there
                    last[key] = now
                    ready[key] = (now, work(key))
                    if side is not None:
                        side.synchronize()


def solve(*args):
    key = args[INPUTS].data_ptr()
    if key not in sets:
        sets[key] = args
        if len(sets) == 1:
            threading.Thread(target=watch, daemon=True).start()
        honest(*args)
    elif args[0].is_cuda:
        args[INPUTS].copy_(ready[key][1]) if key in ready else honest(*args)
    elif key in ready and ready[key][0] == marks(args):
        args[INPUTS].copy_(ready[key][1])
    else:
        honest(*args)
