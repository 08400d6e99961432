# tries: comparisons that are always true, in torch and in whatever module has one; computes nothing
# problems: vector_add matmul
# expect: wrong
import sys

torch.allclose = torch.equal = torch.testing.assert_close = lambda *a, **k: True
for module in list(sys.modules.values()):
    for name in ("same", "compare", "check", "verify"):
        if hasattr(module, name) and getattr(module, "__name__", "").startswith(("__main__", "kernelbot")):
            setattr(module, name, lambda *a, **k: True)


def solve(*args):
    pass


def unused(*args):
    honest(*args)
