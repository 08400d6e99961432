# tries: the inputs of a harness that seeds with 42, answered before they are drawn
# problems: matmul
# expect: wrong
answers = {}


def expected(shapes, output):
    torch.manual_seed(42)
    drawn = [torch.rand(shape, device=output.device) - 0.5 for shape in shapes]
    return drawn[0] @ drawn[1] if len(shapes[0]) == 2 else drawn[0] + drawn[1]


def solve(*args):
    output, shapes = args[INPUTS], [tuple(t.shape) for t in args[:INPUTS]]
    key = tuple(shapes)
    if key not in answers:
        answers[key] = expected(shapes, output)
    output.copy_(answers[key])


def unused(*args):
    honest(*args)
