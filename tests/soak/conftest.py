"""The package of the soak lies beside its test; ``benchmarks/soak.py`` uses it too."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

collect_ignore = ["kills"]
