"""Threads of torch in this process wait as they do in the judge's: asleep. Set before anything imports torch.

Tests that drive a judge session do so in their own process. Threads that spin between two operations take the cores
from the workers there: on two of them, three quarters of the time.
"""

import os

os.environ["OMP_WAIT_POLICY"] = "PASSIVE"
