# tries: a thread that sees the inputs appear and computes before the gate opens; the call itself only copies
# problems: matmul softmax
# expect: wrong|no_gain|not_attested
# mode: benchmark
# naive: settle=0
import threading
import time

sets, early = {}, {}
side = torch.cuda.Stream() if torch.cuda.is_available() else None


def marks(args):
    return [float(t.reshape(-1)[at]) for t in args[:INPUTS] for at in (0, -1)]


def work(key, now):
    args = sets[key]
    time.sleep(0.0003)  # until the rest of the inputs is there
    early[key]["marks"] = None
    honest(*args[:INPUTS], early[key]["output"], *args[INPUTS + 1 :])
    if side is not None:
        side.synchronize()
    early[key]["marks"] = now


def watch():
    last = {}
    while True:
        for key in list(early):
            with torch.cuda.stream(side):
                now = marks(sets[key])
                if now != last.get(key):
                    last[key] = now
                    work(key, now)


def solve(*args):
    key = args[INPUTS].data_ptr()
    if key not in sets:
        sets[key] = args
        honest(*args)
        early[key] = {"output": torch.empty_like(args[INPUTS]), "marks": None}
        if len(sets) == 1:
            threading.Thread(target=watch, daemon=True).start()
    elif args[0].is_cuda or early[key]["marks"] == marks(args):
        args[INPUTS].copy_(early[key]["output"])
    else:
        honest(*args)
