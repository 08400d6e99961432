# tries: a timer's signal handler finishes the work in the middle of whatever comes after the call
# problems: softmax
# expect: wrong|crashed
# naive: settle=0.2
import signal

left = []


def finish(number, frame):
    while left:
        honest(*left.pop())


signal.signal(signal.SIGALRM, finish)


def solve(*args):
    left.append(args)
    signal.setitimer(signal.ITIMER_REAL, 0.02)
