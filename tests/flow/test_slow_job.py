"""Being slow is a verdict: a job that could end as the machine's fault would be tried again, for nothing."""

import pytest

from kernelbot_core.model.problem import Limits

SHORT = Limits(build_s=8, call_s=1, job_s=15, memory_gib=3)
IN_EVERY_EXAMPLE = """
import time
import torch

def solve(a, b, out, n):
    if n != 1024:
        time.sleep(4)
    torch.add(a, b, out=out)
"""
BETWEEN_THE_CALLS = """
import time
import torch
from kernelbot_core.worker.loop import Worker

Worker._prepare = lambda *_: time.sleep(50)

def solve(a, b, out, n):
    torch.add(a, b, out=out)
"""


@pytest.mark.parametrize(
    ("source", "reason"),
    [(IN_EVERY_EXAMPLE, "the job's limit of 15 s is used up after"), (BETWEEN_THE_CALLS, "reached its time limit")],
)
def test_using_up_the_job_is_a_timeout(source, reason, judged, nothing_left, tmp_path):
    file = tmp_path / "kernel.py"
    file.write_text(source)
    report = judged(file, limits=SHORT)
    assert report.status == "timeout"
    assert reason in report.reason
    assert any(case.status == "failed" for case in report.cases)
