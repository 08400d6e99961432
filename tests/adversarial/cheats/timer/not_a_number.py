# tries: a time that is not a number, hoping that a comparison with it comes out right
# problems: vector_add
# expect: protocol|not_attested|no_gain
# mode: benchmark
# naive: none
import sys

message = sys.modules.get("kernelbot_core.model.message")
if message is not None:
    pack = message.Message.pack

    def odd(self):
        scalars = tuple(float("nan") for _ in self.scalars)
        return pack(message.Message(kind=self.kind, id=self.id, flags=self.flags, scalars=scalars))

    message.Message.pack = odd


def solve(*args):
    honest(*args)
