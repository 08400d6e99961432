# tries: result files of every name it has heard of, wherever it can write, and leaves at import
# problems: softmax
# expect: crashed|protocol
# ci: no
# naive: none
import json
import os
import sys

for place in {os.getcwd(), os.environ.get("TMPDIR", "."), os.path.dirname(sys.argv[-1]) or "."}:
    for name in ("result.json", "report.json", "eval_results.json"):
        try:
            with open(os.path.join(place, name), "w") as file:
                json.dump({"status": "passed", "correct": True, "seconds": 1e-7, "score": 1e-7}, file)
        except OSError:
            continue
os._exit(0)


def solve(*args):
    honest(*args)
