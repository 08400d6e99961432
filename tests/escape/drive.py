"""``drive.py SPEC``: start the probe in the sandbox bwrap as whoever runs this, and print how it ended as JSON."""

import json
import os
import resource
import socket
import sys
import tempfile
from pathlib import Path

import msgspec

from kernelbot_core import Mount, SandboxLimits
from kernelbot_core.runner.visible import interpreter
from kernelbot_sandbox_bwrap import BwrapSandbox

PROBE = Path(__file__).with_name("probe")
LIMITS = {"wall_s": 120.0, "memory": 400 << 20, "pids": 64, "disk": 32 << 20, "output": 1 << 18}


def may_send():
    """Whether this process can still hand a descriptor over, as the runner does for every process it starts."""
    ends = socket.socketpair()
    try:
        socket.send_fds(ends[0], [b"x"], [0])
        os.close(socket.recv_fds(ends[1], 1, 1)[1][0])
    except OSError:
        return False
    finally:
        for end in ends:
            end.close()
    return True


soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, 1024), hard))  # as after a login
spec = json.loads(sys.argv[1])
box = BwrapSandbox()
here = box.available()
if not here.ok:
    print(json.dumps({"unavailable": f"{here.why}; {here.fix}"}))
    sys.exit(0)
folder = tempfile.gettempdir() + "/kernelbot-escape-box"
command = [sys.executable, "-I", "-S", "-B", str(PROBE), json.dumps(spec["world"]), *spec.get("name", [])]
process = box.start(
    command,
    env={"PATH": "/usr/bin:/bin", "HOME": folder},
    folder=folder,
    mounts=[Mount(path=path) for path in [*interpreter(), str(PROBE), spec["world"]["site"]]],
    limits=SandboxLimits(**(LIMITS | spec.get("limits", {}))),
    fds=[],
)
sent = []
while (ended := process.wait(0.05)) is None:
    sent.append(may_send())
print(json.dumps({"about": box.about(), "exit": msgspec.to_builtins(ended), "sent": sent}))
