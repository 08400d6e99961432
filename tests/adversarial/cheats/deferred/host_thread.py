# tries: returns at once; a thread does the work while nobody looks at the clock
# problems: matmul
# expect: wrong|no_gain
# mode: benchmark
# naive: settle=0.2 repeats=1 warm=0
import threading
import time

side = torch.cuda.Stream() if torch.cuda.is_available() else None


def work(*args):
    time.sleep(0.001)  # lets the caller get away first
    if args[0].is_cuda:
        with torch.cuda.stream(side):
            honest(*args)
    else:
        honest(*args)


def solve(*args):
    threading.Thread(target=work, args=args, daemon=True).start()
