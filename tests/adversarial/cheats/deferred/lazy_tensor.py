# tries: returns a tensor that multiplies when somebody looks at it
# problems: matmul
# expect: no_gain|wrong
# mode: benchmark
import torch


class Lazy(torch.Tensor):
    @staticmethod
    def __new__(cls, a, b):
        self = torch.Tensor._make_subclass(cls, torch.empty((), dtype=a.dtype, device=a.device).expand(a.shape[0], b.shape[1]))
        self.factors = (a, b)
        return self

    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        if function in (torch.Tensor.shape.__get__, torch.Tensor.dtype.__get__):
            with torch._C.DisableTorchFunctionSubclass():
                return function(*args)

        def computed(value):
            return torch.matmul(*value.factors) if isinstance(value, Lazy) else value

        return function(*[computed(value) for value in args], **{k: computed(v) for k, v in (kwargs or {}).items()})


def solve(a, b, m, n, k):
    return Lazy(a, b)
