# tries: every clock of Python runs a thousand times slower; the work is honest
# problems: matmul vector_add
# expect: no_gain
# device: cpu
# mode: benchmark
import time

began = {name: getattr(time, name)() for name in ("perf_counter", "monotonic", "time")}
real = {name: getattr(time, name) for name in ("perf_counter", "monotonic", "time")}
for name in real:
    setattr(time, name, lambda name=name: began[name] + (real[name]() - began[name]) / 1000)
    exact = getattr(time, name + "_ns")
    setattr(time, name + "_ns", lambda exact=exact, start=exact(): start + (exact() - start) // 1000)


def solve(*args):
    honest(*args)
