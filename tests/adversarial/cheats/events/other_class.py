# tries: another event class in torch's namespace, by a name that no scanner finds
# problems: softmax
# expect: not_attested|no_gain
# device: gpu
# mode: benchmark
import torch
import torch.cuda as namespace

real = namespace.Event


class Quick(real):
    def elapsed_time(self, end):
        return 0.001


setattr(namespace, "Ev" + "ent", Quick)


def solve(*args):
    honest(*args)
