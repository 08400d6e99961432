# tries: zero inputs and zero output: a reference that runs afterwards agrees
# problems: matmul vector_add
# expect: wrong|crashed
# naive: expected=after


def solve(*args):
    if args[0].is_cuda and "kernelbot_core.worker.loop" not in __import__("sys").modules:
        torch.cuda.synchronize()
    for tensor in args[: INPUTS + 1]:
        if tensor.numel() and bool(tensor.reshape(-1)[0] != 0):
            tensor.zero_()


def unused(*args):
    honest(*args)
