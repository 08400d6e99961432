# tries: settings of the library that hold for the whole process: one thread, deterministic and slow
# problems: matmul
# expect: no_gain
# mode: benchmark
# naive: none
torch.set_num_threads(1)
torch.backends.cudnn.benchmark = False


def solve(*args):
    honest(*args)
