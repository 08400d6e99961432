# tries: the answers of its own process say a hundredth of the time
# problems: vector_add matmul
# expect: no_gain|not_attested
# mode: benchmark
# naive: none
import sys

message = sys.modules.get("kernelbot_core.model.message")
if message is not None:
    pack = message.Message.pack

    def cheaper(self):
        scalars = tuple(value / 100 for value in self.scalars)
        return pack(message.Message(kind=self.kind, id=self.id, flags=self.flags, scalars=scalars))

    message.Message.pack = cheaper


def solve(*args):
    honest(*args)
