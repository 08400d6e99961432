"""``python -I -S PROBE WORLD [NAME]``: run every attempt, or one that may end this process, and print JSON.

WORLD is a JSON text that names the bait. It refuses to run with real capabilities: it would change the machine.
"""

import json
import sys

import ending
import files
import kernel
import network
import processes
import resources
from attempt import ATTEMPTS, capabilities, run

if capabilities():
    sys.exit("refused: this process holds capabilities, and an attempt might succeed on the machine itself")
assert files
assert processes
assert network
assert kernel
assert resources
world = json.loads(sys.argv[1])
if len(sys.argv) > 2:
    ending.ENDINGS[sys.argv[2]](world)
else:
    print(json.dumps({name: run(name, world) for name in ATTEMPTS}), flush=True)
