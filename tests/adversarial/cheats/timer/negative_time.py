# tries: a time below zero, and one in a hundred that is almost nothing
# problems: vector_add
# expect: protocol|not_attested|no_gain
# mode: benchmark
# naive: none
import sys

message = sys.modules.get("kernelbot_core.model.message")
if message is not None:
    pack = message.Message.pack

    def odd(self):
        scalars = tuple(-1.0 if value else 1e-300 for value in self.scalars)
        return pack(message.Message(kind=self.kind, id=self.id, flags=self.flags, scalars=scalars))

    message.Message.pack = odd


def solve(*args):
    honest(*args)
