"""How long a submission waits for its acknowledgement: 100 jobs queued by 20 accounts, 10,000 earlier ones in the file.

``python benchmarks/enqueue.py [EARLIER] [QUEUED]`` prints milliseconds of enqueue + position, and of claim + give back.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time

from msgspec.structs import replace

from kernelbot_core.cli import errors_in_words
from kernelbot_core.engine.accept import accept, new_id
from kernelbot_core.engine.queue import cancel, claim, enqueue, give_back, open_queue, owner_name, set_limit, wait_of
from kernelbot_core.packs.find import resolve
from kernelbot_core.plugins import registry
from kernelbot_core.settings import Settings

ROUNDS = 200
KERNEL = "import torch\n\n\ndef solve(a, b, out, n):\n    torch.add(a, b, out=out)  # {number}\n"
EARLIER = """
WITH RECURSIVE count(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM count WHERE n < ?)
INSERT INTO jobs (id, account, user, guild, problem, pack, device, language, filename, source, mode, payload, priority,
                  state, attempt, counted, created, started, finished, status)
SELECT 'e' || n, 'user' || (n % 20), 'user' || (n % 20), guild, problem, pack, device, language, filename, source, mode,
       payload, 0, 'done', 1, 1, created - 40 * n, created - 40 * n, created - 40 * n + 12, 'passed'
FROM jobs, count WHERE id = ?
"""
"""Finished jobs, one in 40 s for 20 accounts: what an instance holds after a while."""


def summary(name, samples):
    values = sorted(1e3 * value for value in samples)
    p99 = values[min(len(values) - 1, int(0.99 * len(values)))]
    print(f"{name:24} median {statistics.median(values):7.2f} ms   p99 {p99:7.2f} ms   n {len(values)}")


def timed(action):
    start = time.perf_counter()
    result = action()
    return time.perf_counter() - start, result


def main(earlier, queued):
    accounts = max(20, queued // 10)
    found = registry()
    problem = resolve("vector_add", found.pack_sources)
    with tempfile.TemporaryDirectory() as folder:
        queue = open_queue(found, f"tinydb://{folder}/store")
        settings = Settings(require_sandbox=False)

        def job(number):
            made = accept(
                found, problem, KERNEL.format(number=number), "kernel.py", settings=settings, lang="torch",
                device="cpu", mode="ranked", user=f"user{number % accounts}",
            )  # fmt: skip
            return replace(made, id=new_id())

        first = enqueue(queue, job(0))
        with queue.database.write() as connection:
            connection.execute(EARLIER, (earlier, first.id))
        for number in range(1, queued):
            enqueue(queue, job(number), counted=False)
        set_limit(queue, 1_000_000, actor="benchmark")  # the rules are applied, and refuse nothing
        jobs = [job(queued + number) for number in range(ROUNDS)]
        acknowledged, claimed = [], []
        for one in jobs:
            seconds, _ = timed(lambda one=one: (enqueue(queue, one), wait_of(queue, one.id)))
            acknowledged.append(seconds)
            cancel(queue, one.id, actor="benchmark")
        for _ in range(ROUNDS // 4):
            seconds, _ = timed(lambda: give_back(queue, claim(queue, "cpu", owner_name())))
            claimed.append(seconds)
        queue.close()
    print(f"{earlier} earlier jobs, {queued} queued by {accounts} accounts")
    summary("enqueue + position", acknowledged)
    summary("claim + give back", claimed)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("earlier", type=int, nargs="?", default=10_000)
    parser.add_argument("queued", type=int, nargs="?", default=100)
    args = parser.parse_args()
    with errors_in_words():
        main(args.earlier, args.queued)
