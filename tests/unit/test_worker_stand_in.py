"""The call that stands in for a kernel in processes that have loaded nothing."""

from __future__ import annotations

import pytest

from kernelbot_core.worker.stand_in import stand_in

torch = pytest.importorskip("torch", reason="torch is not installed")


@pytest.mark.parametrize(
    ("inputs", "output"),
    [([(8,), (8,)], (8,)), ([(2, 3)], (4, 4)), ([(4, 4)], (3,)), ([], (5,)), ([(0,)], (3,))],
)
@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "int64", "uint8"])
def test_every_byte_of_the_outputs_is_written_and_the_inputs_stay(inputs, output, dtype):
    given = [torch.full(shape, 7, dtype=getattr(torch, dtype)) for shape in inputs]
    written = torch.full(output, 3, dtype=getattr(torch, dtype))
    call = stand_in(given, [written])
    written.fill_(3)
    call()
    assert not (written.view(-1).view(torch.uint8) == torch.full_like(written, 3).view(-1).view(torch.uint8)).all()
    last = written.view(-1)[-1:].view(torch.uint8)
    covered = max((one.nbytes for one in given), default=0) >= written.nbytes
    expected = (
        ~torch.full((1,), 7, dtype=getattr(torch, dtype)).view(torch.uint8) if covered else torch.zeros_like(last)
    )
    assert torch.equal(last, expected)
    assert all((one == 7).all() for one in given)
