"""``drive.py SPEC``: start the probe in the sandbox bwrap as whoever runs this, and print how it ended as JSON."""

import json
import sys
import tempfile
from pathlib import Path

import msgspec

from kernelbot_core import Mount, SandboxLimits
from kernelbot_core.runner.visible import interpreter
from kernelbot_sandbox_bwrap import BwrapSandbox

PROBE = Path(__file__).with_name("probe")
LIMITS = {"wall_s": 120.0, "memory": 400 << 20, "pids": 64, "disk": 32 << 20, "output": 1 << 18}

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
print(json.dumps({"about": box.about(), "exit": msgspec.to_builtins(process.wait())}))
