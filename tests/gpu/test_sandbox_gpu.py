"""CUDA behind the walls: torch, Triton and a shared object of nvcc, with the device's nodes and without."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

from kernelbot_core import Exit, Mount, SandboxLimits
from kernelbot_core.engine.devices import find_device
from kernelbot_core.plugins import registry
from kernelbot_core.runner.visible import PATHS, interpreter, named

pytestmark = pytest.mark.gpu
LIMITS = SandboxLimits(wall_s=240, memory=32 << 30, pids=1024, output=1 << 16)

TORCH = """
import torch
x = torch.arange(1 << 20, device="cuda", dtype=torch.float32)
print("sum", (x + x).sum().item() == 2.0 * ((1 << 20) - 1) * (1 << 20) / 2, torch.cuda.get_device_name())
"""
TRITON = """
import os, torch, triton, triton.language as tl
source = '''
import triton, triton.language as tl
@triton.jit
def add(a, b, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(a + i, mask=i < n) + tl.load(b + i, mask=i < n), mask=i < n)
'''
open("kernel.py", "w").write(source)
import sys
sys.path.insert(0, os.getcwd())
from kernel import add
a, b = torch.randn(2, 1000, device="cuda")
out = torch.empty_like(a)
add[(triton.cdiv(1000, 256),)](a, b, out, 1000, BLOCK=256)
print("same", torch.equal(out, a + b), len(os.listdir("triton")) > 0)
"""
NVCC = """
import ctypes, subprocess, sys
open("k.cu", "w").write('''
#include <cstdint>
__global__ void twice(float* x, int64_t n) { int64_t i = threadIdx.x; if (i < n) x[i] *= 2; }
extern "C" int run(float* host, int64_t n) {
    float* x;
    if (cudaMalloc(&x, n * sizeof(float))) return 1;
    cudaMemcpy(x, host, n * sizeof(float), cudaMemcpyHostToDevice);
    twice<<<1, 256>>>(x, n);
    cudaMemcpy(host, x, n * sizeof(float), cudaMemcpyDeviceToHost);
    return cudaGetLastError();
}
''')
nvcc, arch = sys.argv[1:]
subprocess.run([nvcc, "-shared", "-Xcompiler", "-fPIC", "-arch=" + arch, "-o", "k.so", "k.cu"], check=True)
values = (ctypes.c_float * 3)(1, 2, 3)
code = ctypes.CDLL("./k.so").run(values, ctypes.c_int64(3))
print("result", code, list(values))
"""
COUNT = "import ctypes; print('init', ctypes.CDLL('libcuda.so.1').cuInit(0))"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory):
    found = registry()
    box = found.sandboxes["bwrap"]
    here = box.available()
    assert here.ok, f"{here.why}; {here.fix}"
    vendor, device = find_device(found, "cuda:0")

    def start(code: str, *arguments: str, nodes: bool = True) -> Exit:
        folder = str(tmp_path_factory.mktemp("box"))
        env = {
            "PATH": os.environ["PATH"], "HOME": folder, "TMPDIR": folder, "USER": "judge", "LOGNAME": "judge",
            "TRITON_CACHE_DIR": f"{folder}/triton", "CUDA_CACHE_PATH": f"{folder}/cuda",
        }  # fmt: skip
        env |= {name: os.environ[name] for name in PATHS if name in os.environ} | vendor.visible_env(device)
        places = [Mount(path=path) for path in [*interpreter(), *named(env)]]
        places += [Mount(path=node, device=True) for node in vendor.device_nodes(device)] if nodes else []
        process = box.start(
            [sys.executable, "-I", "-c", code, *arguments],
            env=env, folder=folder, mounts=places, limits=LIMITS, fds=[],
        )  # fmt: skip
        ended = process.wait(300)
        return ended or process.kill("timeout")

    start.target = vendor.target(device)
    return start


def test_the_nodes_of_one_device_only() -> None:
    vendor, device = find_device(registry(), "cuda:0")
    nodes = vendor.device_nodes(device)
    assert {"/dev/nvidiactl", "/dev/nvidia-uvm"} <= set(nodes) or "/dev/dxg" in nodes
    assert sum(Path(node).name.removeprefix("nvidia").isdigit() for node in nodes) <= 1


def test_torch(run) -> None:
    ended = run(TORCH)
    assert ended.code == 0, ended
    assert "sum True" in ended.output


def test_triton(run) -> None:
    ended = run(TRITON)
    assert ended.code == 0, ended
    assert "same True True" in ended.output


def test_nvcc(run) -> None:
    nvcc = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    if not Path(nvcc).exists():
        pytest.skip("no nvcc")
    ended = run(NVCC, nvcc, run.target)
    assert ended.code == 0, ended
    assert "result 0 [2.0, 4.0, 6.0]" in ended.output


def test_without_nodes_there_is_no_device(run) -> None:
    ended = run(COUNT, nodes=False)
    assert "init 0" not in ended.output
