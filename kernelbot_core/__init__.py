"""The public face of kernelbot: plugins and packs import from here and from nowhere else."""

from __future__ import annotations

from kernelbot_core.case import Case
from kernelbot_core.errors import (
    CaseFailure,
    InfrastructureError,
    KernelbotError,
    PackError,
    PluginError,
    RefusedError,
    UsageError,
    UserError,
)
from kernelbot_core.hookspecs import hookimpl, hookspec
from kernelbot_core.interfaces.device import DeviceVendor, JudgeDevice, Link, Output, SharedBuffer, WorkerDevice
from kernelbot_core.interfaces.executor import Executor
from kernelbot_core.interfaces.language import Language, Solve, Support
from kernelbot_core.interfaces.packs import PackSource
from kernelbot_core.interfaces.ranking import Ranking
from kernelbot_core.interfaces.sandbox import MOST_FILES, Exit, Mount, Process, Sandbox, SandboxLimits
from kernelbot_core.interfaces.sanitizer import Sanitizer
from kernelbot_core.interfaces.store import Store
from kernelbot_core.memory import sealed_memfd
from kernelbot_core.model.build import Build, BuildOrder
from kernelbot_core.model.device import Availability, DeviceInfo, DeviceKind, Peaks
from kernelbot_core.model.dtypes import DTYPES, DType
from kernelbot_core.model.entry import Entry, Result, Run, Standing
from kernelbot_core.model.event import Event
from kernelbot_core.model.expression import ExpressionError, evaluate
from kernelbot_core.model.header import Header, read_header
from kernelbot_core.model.message import Kind, Loop
from kernelbot_core.model.problem import Cell, Problem, Signature
from kernelbot_core.model.prototype import c_parameters, c_prototype, c_type, python_prototype
from kernelbot_core.model.report import Report
from kernelbot_core.model.submission import Job, Submission
from kernelbot_core.pysource import build_python, load_python, offered_dtypes
from kernelbot_core.runner.here import device_key, run_job_here
from kernelbot_core.supervisor.client import held_to_the_end, start_supervised

__all__ = [
    "DTYPES",
    "MOST_FILES",
    "Availability",
    "Build",
    "BuildOrder",
    "Case",
    "CaseFailure",
    "Cell",
    "DType",
    "DeviceInfo",
    "DeviceKind",
    "DeviceVendor",
    "Entry",
    "Event",
    "Executor",
    "Exit",
    "ExpressionError",
    "Header",
    "InfrastructureError",
    "Job",
    "JudgeDevice",
    "KernelbotError",
    "Kind",
    "Language",
    "Link",
    "Loop",
    "Mount",
    "Output",
    "PackError",
    "PackSource",
    "Peaks",
    "PluginError",
    "Problem",
    "Process",
    "Ranking",
    "RefusedError",
    "Report",
    "Result",
    "Run",
    "Sandbox",
    "SandboxLimits",
    "Sanitizer",
    "SharedBuffer",
    "Signature",
    "Solve",
    "Standing",
    "Store",
    "Submission",
    "Support",
    "UsageError",
    "UserError",
    "WorkerDevice",
    "build_python",
    "c_parameters",
    "c_prototype",
    "c_type",
    "device_key",
    "evaluate",
    "held_to_the_end",
    "hookimpl",
    "hookspec",
    "load_python",
    "offered_dtypes",
    "python_prototype",
    "read_header",
    "run_job_here",
    "sealed_memfd",
    "start_supervised",
]  # fmt: skip
