"""Where the judge looks at an output a second time, and what it holds against the copy."""

from __future__ import annotations

import pytest

pytest.importorskip("torch", reason="torch is not installed")
pytest.importorskip("cuda.bindings", reason="the driver's bindings are not installed")
import torch

from kernelbot_gpu_nvidia._look import LINES, WIDTH, Look, Sample, somewhere


@pytest.mark.parametrize("nbytes", [1, 7, WIDTH, LINES * WIDTH, 32767, 32768, 40000, 1 << 20, (1 << 20) + 3])
def test_stripes_lie_inside_and_all_over(nbytes):
    flat = torch.zeros(nbytes, dtype=torch.uint8)
    for _ in range(300):
        sample = somewhere(nbytes)
        sample.of(flat).add_(1)  # would raise beyond the end
        assert sample.size <= LINES * WIDTH
    assert int(flat.max()) > 0
    if nbytes <= 4 * LINES * WIDTH:
        assert int(flat[0]) or nbytes > LINES * WIDTH
        assert int((flat == 0).sum()) <= nbytes // 2, "most places are looked at sooner or later"


def test_a_large_output_is_looked_at_from_end_to_end():
    sample = somewhere(64 << 20)
    assert (sample.lines, sample.width) == (LINES, WIDTH)
    assert sample.pitch * LINES == 64 << 20


@pytest.fixture
def look():
    made = Look.__new__(Look)
    made._stream = type("Done", (), {"synchronize": lambda _self: None})()
    made._samples = [Sample(3, 512, 256, 64), Sample(0, 100, 100, 1)]
    made._seen = [torch.zeros(LINES * WIDTH, dtype=torch.uint8) for _ in range(3)]  # an earlier call had more outputs
    return made


def test_what_changes_after_the_look_is_seen(look):
    copies = [torch.zeros(64 * 512, dtype=torch.uint8), torch.zeros(100, dtype=torch.uint8)]
    assert look.agrees(copies)
    copies[0][3 + 255] = 1
    assert not look.agrees(copies)
    copies[0][3 + 255], copies[0][3 + 256] = 0, 1
    assert look.agrees(copies), "between the stripes"
    copies[1][99] = 1
    assert not look.agrees(copies)
