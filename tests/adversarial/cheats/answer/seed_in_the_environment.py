# tries: the seed, from its own environment, its parents' and every command line, and the inputs drawn from it
# problems: matmul
# expect: wrong
# ci: no
import os
import re


def seeds():
    for pid in ("self", str(os.getppid())):
        for name in ("environ", "cmdline"):
            try:
                with open(f"/proc/{pid}/{name}", "rb") as file:
                    yield from (int(word) for word in re.findall(rb"SEED=(\d{1,18})\b", file.read()))
            except OSError:
                continue


answers = []


def solve(*args):
    output = args[INPUTS]
    if not answers:
        for seed in [int(os.environ.get("HARNESS_SEED", 0)), *seeds()][:8]:
            torch.manual_seed(seed)
            a, b = (torch.rand(t.shape, device=output.device) - 0.5 for t in args[:2])
            if torch.equal(a, args[0]):
                answers.append(a @ b)
    if answers and answers[0].shape == output.shape:
        output.copy_(answers[0])


def unused(*args):
    honest(*args)
