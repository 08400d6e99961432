"""A call in many blocks, through real processes: buffers that both workers map, decoys, a verdict block by block."""

import msgspec
import pytest

from kernelbot_core.engine.accept import accept
from kernelbot_core.errors import CaseFailure
from kernelbot_core.judge import buffers
from kernelbot_core.judge.bench import Block, Effort
from kernelbot_core.judge.draws import Draws
from kernelbot_core.judge.session import JudgeSession
from kernelbot_core.judge.verify import Verifier
from kernelbot_core.packs.find import resolve
from kernelbot_core.plugins import registry
from kernelbot_core.runner.folder import JobFolder
from kernelbot_core.runner.local import JobRunner
from kernelbot_core.runner.prepare import make_order
from kernelbot_core.settings import Settings
from kernelbot_device_cpu._judge import CpuJudge

N, BLOCK = 50_021, 4096
HEAD = "import torch\n\ndef solve(a, b, out, n):\n"
ADD = HEAD + "    torch.add(a, b, out=out)\n"


@pytest.fixture
def measure(monkeypatch):
    """Measure a kernel on a cell of 13 blocks; gives the block of calls and what compared it."""
    monkeypatch.setattr(CpuJudge, "shares", True)
    monkeypatch.setattr(buffers, "ONE_SET_ABOVE", 1)
    found, closing = registry(), []

    def run(source):
        pack = resolve("vector_add", found.pack_sources)
        settings = Settings(sandbox="process", require_sandbox=False)
        job = accept(found, pack, source, "kernel.py", settings=settings, lang="torch", device="cpu", mode="benchmark")
        folder = JobFolder(job.id)
        closing.append(folder)
        runner = JobRunner(found, job, folder, lambda _: None)
        closing.append(runner)
        session = JudgeSession(make_order(found, job), runner)
        closing.append(session)
        session.build()
        session.oracle.whole = session.oracle.block = BLOCK
        case = next(c for c in session.order.cases if c.kind == "bench" and c.cell.dtype == "fp32")
        cell = msgspec.structs.replace(case.cell, dims={"n": N})
        verifier = Verifier(session.oracle, "fp32", cell.dims, 0)
        block = Block(session, cell, Draws(session, case.id, cell), verifier, session.submission("fp32"))
        block.run(Effort(open_calls=1, warm_up=1, pairs=6))
        return block, verifier

    yield run
    for one in reversed(closing):
        one.close()


def test_a_right_kernel_passes_in_buffers_that_both_map(measure):
    block, verifier = measure(ADD)
    assert block.submission.worker.buffers is block.baseline.worker.buffers
    assert verifier.calls == 8
    assert 0 < verifier.fraction < 1
    assert len(block.R.T) == 6


@pytest.mark.parametrize("at", [0, BLOCK, N - 1])
def test_one_wrong_element_in_any_block_is_found(measure, at):
    with pytest.raises(CaseFailure) as caught:
        measure(f"{ADD}    out[{at}] += 1\n")
    assert caught.value.status == "wrong"
    assert caught.value.error.index == [at]


@pytest.mark.parametrize("at", [1, N - 1])
def test_a_changed_input_in_any_block_is_found(measure, at):
    with pytest.raises(CaseFailure, match="changed its input"):
        measure(f"{ADD}    b[{at}] += 1\n")


def test_the_inputs_of_the_baseline_are_of_no_use(measure):
    """It answers with what lies in the buffers from the call before, which was the baseline's."""
    spy = "import torch\n\nseen = []\n\ndef solve(a, b, out, n):\n    seen.append(torch.add(a, b))\n"
    with pytest.raises(CaseFailure) as caught:
        measure(spy + "    out.copy_(seen[-2] if len(seen) > 1 else seen[0])\n")
    assert caught.value.status == "wrong"
