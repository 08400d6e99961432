# tries: the order that its process was started with, for a seed or for expected values
# problems: matmul
# expect: wrong
# ci: no
# naive: none
import json
import sys


def solve(*args):
    order = json.loads(open(sys.argv[2]).read())
    seed = order.get("seed") or order.get("seeds")
    if seed:
        torch.manual_seed(int(seed))
        honest(*args)
