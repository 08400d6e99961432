# tries: answers written to disk by one run and read by the next call
# problems: matmul softmax
# expect: wrong
# ci: no
import os
import tempfile

folder = tempfile.mkdtemp()


def solve(*args):
    output = args[INPUTS]
    path = os.path.join(folder, "x".join(str(extent) for extent in output.shape))
    if not os.path.exists(path):
        honest(*args)
        torch.save(output.clone(), path)
        kept[path] = torch.load(path)
    output.copy_(kept[path])


kept = {}
