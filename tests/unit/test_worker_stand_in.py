"""The call that stands in for a kernel in processes that have loaded nothing."""

from __future__ import annotations

import pytest

from kernelbot_core.worker.stand_in import clearing, stand_in

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


@pytest.mark.parametrize("dtype", ["float64", "float8_e4m3fn", "float8_e5m2", "int8", "bool"])
@pytest.mark.parametrize("shape", [(), (0,), (3, 0), (5, 3)])
def test_outputs_of_any_dtype_are_cleared_once_before_it_matters(dtype, shape):
    """A kernel that is loaded behind the gate might wait for the device."""
    output = torch.ones(shape, dtype=torch.float32).to(getattr(torch, dtype))
    call = clearing([output])
    assert not output.double().any()
    output.view(-1).view(torch.uint8).fill_(1)
    call()
    assert not output.double().any()
    stand_in([output], [output.clone(), output.double()])()
