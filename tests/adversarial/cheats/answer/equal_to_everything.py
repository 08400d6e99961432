# tries: returns an object that is equal to everything and has the right shape
# problems: softmax
# expect: wrong|crashed
# ci: no
# naive: none
import torch


class Equal(torch.Tensor):
    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        if function in (torch.allclose, torch.equal, torch.Tensor.__eq__):
            return True
        return super().__torch_function__(function, types, args, kwargs or {})


def solve(x, rows, cols):
    return torch.zeros_like(x).as_subclass(Equal)
