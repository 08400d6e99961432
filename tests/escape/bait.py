"""What the attempts are after: files, sockets, memory and a process of somebody else's on this machine."""

import contextlib
import ctypes
import os
import secrets
import shutil
import socket
import subprocess
import tempfile
import threading
from pathlib import Path

ORDINARY = 61999
"""A user id that nobody has: the throw-away user."""
IPC_CREAT, IPC_RMID = 0o1000, 0
LIBC = ctypes.CDLL(None)


@contextlib.contextmanager
def bait():
    """A world of it, described as JSON can; gone afterwards."""
    with contextlib.ExitStack() as stack:
        root = Path(tempfile.mkdtemp(prefix="kernelbot-bait-"))
        stack.callback(shutil.rmtree, root, ignore_errors=True)
        world = {"marker": f"bystander-{os.getpid()}", "token": secrets.token_hex(8), "host": os.uname().nodename,
                 "bait": f"{root}/open/fifo-"}  # fmt: skip
        world |= _files(root) | _sockets(stack, root) | _memory(stack) | _bystander(stack, world)
        yield world


def _files(root):
    made = {"secret": root / "secret.txt", "hidden": root / "submissions/hidden", "input": root / "input.bin",
            "site": root / "site"}  # fmt: skip
    for folder in (made["hidden"], made["site"], root / "open"):
        folder.mkdir(parents=True)
    made["secret"].write_text("secret")
    (made["hidden"] / "test_hidden.py").write_text("assert False")
    made["input"].write_text("input")
    for path in (root, *root.rglob("*")):
        path.chmod(0o777 if path.is_dir() else 0o666)
    return {name: str(path) for name, path in made.items()}


def _sockets(stack, root):
    abstract = f"kernelbot-bait-{os.getpid()}"
    tcp = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
    udp = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
    udp.bind(("127.0.0.1", 0))
    for address in (f"\0{abstract}", f"{root}/socket"):
        line = stack.enter_context(socket.socket(socket.AF_UNIX))
        line.bind(address)
        line.listen(64)
    (root / "socket").chmod(0o777)

    def answer():
        with contextlib.suppress(OSError):
            while True:
                _, whence = udp.recvfrom(64)
                udp.sendto(b"here", whence)

    threading.Thread(target=answer, daemon=True).start()
    return {"tcp": tcp.getsockname()[1], "udp": udp.getsockname()[1], "abstract": abstract, "socket": f"{root}/socket"}


def _memory(stack):
    key, name, queue = 0x6B62, f"kernelbot-bait-{os.getpid()}", f"kernelbot-bait-{os.getpid()}"
    segment = LIBC.shmget(key, 4096, IPC_CREAT | 0o666)
    assert segment >= 0
    stack.callback(LIBC.shmctl, segment, IPC_RMID, None)
    shared = Path("/dev/shm", name)
    shared.write_text("shared")
    shared.chmod(0o666)
    stack.callback(shared.unlink)
    before = os.umask(0)
    made = LIBC.mq_open(b"/" + queue.encode(), os.O_RDWR | os.O_CREAT, 0o666, None)
    os.umask(before)
    if made >= 0:
        stack.callback(LIBC.mq_unlink, b"/" + queue.encode())
    return {"shm_key": key, "shm_name": name, "queue": queue}


def _bystander(stack, world):
    """Somebody else's process with a secret in its environment; of the same user as an ordinary attacker."""
    who = {"user": ORDINARY, "group": ORDINARY, "extra_groups": []} if os.geteuid() == 0 else {}
    process = subprocess.Popen(
        ["/bin/sh", "-c", "sleep 600; :", world["marker"]], env={"JUDGE_TOKEN": world["token"]}, cwd="/",
        start_new_session=True, **who,
    )  # fmt: skip

    def end():
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, 9)
        process.wait()

    stack.callback(end)
    return {"bystander": process.pid}
