"""What is revealed before the gate opens is not quite right, and is right once it opens."""

import pytest
import torch

from kernelbot_core import DTYPES
from kernelbot_core.judge.decoys import MOST, Decoys, as_words
from kernelbot_core.judge.draw import Draw


@pytest.fixture
def revealed(device):
    """Reveal tensors through decoys; gives the buffers and the decoys."""
    made = []

    def reveal(tensors):
        made.extend(device.allocate(tensor.nbytes) for tensor in tensors)
        decoys = Decoys(device)
        Draw.given(tensors).write_to(decoys, made)
        return made, decoys

    yield reveal
    for buffer in made:
        buffer.close()


def wrong(tensor, buffer):
    """How many elements of a shared buffer are not those of the tensor."""
    words = as_words(tensor)
    name = str(words.dtype).removeprefix("torch.")
    return int((buffer.tensor(name, (words.numel(),)) != words).sum())


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_few_elements_of_every_dtype_are_wrong_until_they_are_corrected(device, revealed, dtype):
    kind = getattr(torch, DTYPES[dtype].torch)
    tensor = torch.randint(0, 2, (9000,)).to(kind) if dtype == "bool" else torch.randint(0, 100, (9000,)).to(kind)
    before = tensor.clone()
    [buffer], decoys = revealed([tensor])
    assert 0 < wrong(tensor, buffer) <= MOST
    assert torch.equal(as_words(tensor), as_words(before)), "the judge's own is the same again"
    decoys.correct()
    assert device.unchanged(tensor, buffer)


def test_wrong_values_are_values_of_the_same_input(revealed):
    tensor = torch.arange(5000, dtype=torch.int32)
    [buffer], _ = revealed([tensor])
    found = buffer.tensor("int32", (5000,))
    assert wrong(tensor, buffer) > 0
    assert bool(((found >= 0) & (found < 5000)).all())


def test_no_value_gives_a_decoy_away(device, revealed):
    """Wrong elements that were copies of others would be found as what occurs twice."""
    tensor = torch.arange(1 << 20, dtype=torch.int64)
    [buffer], _ = revealed([tensor])
    seen = buffer.tensor("int64", tensor.shape)
    assert wrong(tensor, buffer) > MOST // 2
    assert len(seen.unique()) >= len(tensor) - 2  # a place may be drawn twice


@pytest.mark.parametrize(("count", "most"), [(1, 0), (2, 2), (100, 2), (1024, 16), (1 << 20, MOST)])
def test_small_inputs_have_fewer(device, revealed, count, most):
    tensor = torch.arange(count, dtype=torch.int64)
    [buffer], decoys = revealed([tensor])
    assert wrong(tensor, buffer) <= most
    decoys.correct()
    assert device.unchanged(tensor, buffer)


def test_every_input_and_every_call_has_places_of_its_own(device, revealed):
    tensors = [torch.arange(1 << 16, dtype=torch.int32) for _ in range(2)]
    buffers, decoys = revealed(tensors)
    seen = []
    for _ in range(2):
        seen += [buffer.tensor("int32", (1 << 16,)).clone() for buffer in buffers]
        decoys.correct()
        assert all(device.unchanged(t, b) for t, b in zip(tensors, buffers, strict=True))
        Draw.given(tensors).write_to(decoys, buffers)
    assert all(not torch.equal(one, other) for i, one in enumerate(seen) for other in seen[:i])


def test_each_block_of_a_large_input_has_some(device):
    from kernelbot_core.judge.blocks import Rows

    rows = [Rows(k, 1000 * k, 1000 * (k + 1)) for k in range(5)]

    def make(seed, extent):
        return [torch.randint(1 << 30, (extent, 3), generator=torch.Generator().manual_seed(seed))]

    draw = Draw(make, 7, rows, [True])
    [whole] = draw.tensors()
    buffer, decoys = device.allocate(whole.nbytes), Decoys(device)
    draw.write_to(decoys, [buffer])
    found = buffer.tensor("int64", (5, 3000))
    assert ((found != whole.view(5, 3000)).sum(1) > 0).all()
    decoys.correct()
    assert draw.unchanged(device, [buffer])
    buffer.close()
