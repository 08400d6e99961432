"""From a job to the judge's order: manifest, device, limits."""

from __future__ import annotations

import importlib.metadata

from kernelbot_core.engine.devices import find_device
from kernelbot_core.engine.hostfile import host_s_T
from kernelbot_core.interfaces.language import Language, Support
from kernelbot_core.model.device import DeviceInfo
from kernelbot_core.model.order import JudgeOrder
from kernelbot_core.model.plan import PlannedCase, plan
from kernelbot_core.model.submission import Job
from kernelbot_core.plugins import Registry


def make_order(registry: Registry, job: Job) -> JudgeOrder:
    """What the judge of this job is told."""
    vendor, device = find_device(registry, job.device)
    language = registry.languages[job.submission.language]
    support = language.support(device.kind)
    s_T, source = host_s_T(vendor, device)
    return JudgeOrder(
        job=job,
        cases=manifest(job, device, support),
        device=device,
        index=device.index,
        judge_device=vendor.judge,
        peaks=vendor.peaks(device),
        runs=not support.run,
        check_calls=min(3, support.check_calls or 3),
        instances=instances(job),
        flush=job.measure.flush,
        quiet=language.gate == "stream",
        refuse=job.measure.refuse,
        s_T=s_T,
        s_T_source=source,
        deadline_s=job.limits.job_s,
        harness=importlib.metadata.version("kernelbot"),
        sandbox=job.sandbox,
        guarantees=sorted(registry.sandboxes[job.sandbox].guarantees),
    )


def instances(job: Job) -> int:
    """Processes for a short kernel; 0 for as many as its time asks for, which is the rule where it is ranked."""
    if job.measure.instances is not None:
        return job.measure.instances
    return 0 if job.mode == "ranked" else 1


def manifest(job: Job, device: DeviceInfo, support: Support) -> list[PlannedCase]:
    """The cases, with the reason beside each that this device or language cannot run."""
    barred = {
        label: why
        for label, binding in job.problem.bindings.items()
        for dtype, why in support.dtypes.items()
        if dtype in binding.values()
    }
    if support.run:
        barred = dict.fromkeys(job.problem.bindings, support.run)
    return plan(job, device_kind=device.kind, skip_bench=support.bench, skip_dtypes=barred)


def class_path(language: Language) -> str:
    """``module:Class``, which is all that builder and worker are told."""
    return f"{type(language).__module__}:{type(language).__qualname__}"
