"""The suite's own package lies beside the tests; neither cheats nor honest kernels are collected."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

collect_ignore = ["cheats", "honest", "sweep", "adversary"]
