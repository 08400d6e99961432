"""Hardware, in three parts: what the controller asks, what the judge drives, what the worker runs on."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, NoReturn, Protocol

if TYPE_CHECKING:
    from kernelbot_core.model.device import Availability, DeviceInfo, Peaks
    from kernelbot_core.model.message import Kind, Loop


class DeviceVendor(ABC):
    """Controller side of a kind of hardware. Imports no torch.

    A complete plugin is ``plugins/device_cpu``: this class, a :class:`JudgeDevice`, a :class:`WorkerDevice` and::

        @hookimpl
        def kernelbot_register_devices():
            return [CpuVendor]
    """

    name: ClassVar[str]
    """``cpu``, ``nvidia``."""
    prefix: ClassVar[str]
    """First part of device ids: ``cpu``, ``cuda`` (as torch spells it)."""
    judge: ClassVar[str]
    """``module:Class`` of the :class:`JudgeDevice`."""
    worker: ClassVar[str]
    """``module:Class`` of the :class:`WorkerDevice`."""
    own_core: ClassVar[bool] = False
    """The judge only watches here, and gets a core for itself; where it shares the work with nobody it needs none."""

    @abstractmethod
    def available(self) -> Availability:
        """Whether such a device can be used here, and if not the exact fix. Runs in: controller."""

    @abstractmethod
    def devices(self) -> Sequence[DeviceInfo]:
        """Devices of this machine; empty when there is none. Runs in: controller."""

    @abstractmethod
    def target(self, device: DeviceInfo) -> str:
        """What compilers aim at: ``cpu``, ``sm_90a``. Runs in: controller."""

    @abstractmethod
    def peaks(self, device: DeviceInfo) -> Peaks:
        """Datasheet peaks. Runs in: controller."""

    @abstractmethod
    def sample(self, device: DeviceInfo) -> dict[str, Any]:
        """Clocks (MHz), temperature (C), power (W), throttle reasons ... at this moment. Runs in: runner."""

    @abstractmethod
    def visible_env(self, device: DeviceInfo) -> dict[str, str]:
        """Environment that shows a process this device only. Runs in: runner."""

    def device_nodes(self, device: DeviceInfo) -> Sequence[str]:  # noqa: ARG002 - the default needs none
        """Device files that a process must be able to open to compute on it. Runs in: runner."""
        return []

    def place(self, device: DeviceInfo) -> tuple[int, int]:
        """Which of this machine's devices it is, from 0, and how many there are. Runs in: runner.

        Runners divide the machine's cores by it, so every process must say the same, whatever its environment shows it.
        """
        return device.index, len(self.devices())

    def check_free(self, device: DeviceInfo) -> Availability:  # noqa: ARG002 - the default ignores it
        """Whether a trustworthy measurement can start now (nobody else on the GPU, no MPS). Runs in: runner."""
        from kernelbot_core.model.device import Availability

        return Availability(ok=True)


class Link(Protocol):
    """The judge's end of the socket to one worker; every wait has a limit and notices death."""

    control: int
    """What :meth:`JudgeDevice.control_fd` returned for this worker."""
    calls: int
    """CALL messages sent so far; the ``number`` of :meth:`WorkerDevice.run`."""

    def send(
        self,
        kind: Kind,
        *,
        call_id: bytes,
        cell: int = 0,
        flags: int = 0,
        dims: Sequence[int] = (),
        scalars: Sequence[float] = (),
        fds: Sequence[int] = (),
    ) -> None:
        """Send one message."""

    def expect(self, kind: Kind, call_id: bytes, limit: float) -> tuple[float, ...]:
        """Wait for the one answer that may come now; returns its scalars. Raises CaseFailure otherwise."""

    def peek(self) -> bool:
        """Whether a message lies there (it stays for the next ``expect``); raises CaseFailure on death."""

    def expect_failure(self, call_id: bytes) -> NoReturn:
        """Turn the waiting message of a call that is not done into its CaseFailure."""

    def fail(self, status: str, reason: str) -> NoReturn:
        """End the worker and raise CaseFailure."""

    def check_alive(self) -> None:
        """Raise CaseFailure if the worker has died or has spoken out of turn."""


class SharedBuffer(ABC):
    """Memory that judge and one worker both see: ``nbytes`` of data and a tail that nobody may touch."""

    nbytes: int
    fd: int
    """What the worker imports."""
    TAIL: ClassVar[int] = 65536
    """Bytes behind the data that are poisoned and checked."""

    @abstractmethod
    def tensor(self, dtype: str, shape: Sequence[int]) -> Any:
        """The data as a torch tensor of the judge (no copy)."""

    @abstractmethod
    def close(self) -> None:
        """Unmap and free; tensors made of it must not be used any more."""


class Output(NamedTuple):
    """A shared buffer that a call writes, as a tensor."""

    buffer: SharedBuffer
    dtype: str
    """``fp32``, ``bf16`` ...: a key of ``DTYPES``."""
    shape: Sequence[int]


class JudgeDevice(ABC):
    """What the judge does on the device, in its own context. One instance per judge session.

    The order of one call is fixed by the judge (``kernelbot_core/judge/call.py``); a device brings the steps.
    """

    ranks_on: ClassVar[Literal["T", "E"]]
    """Which clock ranks here: the judge's (T) or the worker's events, attested by T (E)."""
    watchdog: ClassVar[bool] = False
    """The gate lies in memory: a call that synchronises before it says "queued" is let through after a short wait."""
    max_sets: ClassVar[int] = 8
    """Buffer sets per cell and worker, chosen at random per call (one above 32 MB)."""
    shares: ClassVar[bool] = False
    """Submission and baseline map the same buffers where a cell has one set: half the memory of large cells."""
    context_bytes: ClassVar[int] = 0
    """About what the runtime takes on the device for each process that uses it."""
    keep_bytes: int = 0
    """How much may be kept for comparing after the block; 0: compare between the calls."""
    flush_by_writing: bool = False
    """Set by the judge for comparing with tools that flush so; never in a ranked job."""
    torch_device: str
    """What tensors are made on: ``cpu``, ``cuda:0``."""
    revealed: float | None = None
    """Seconds that the last reveal and flush took by the device's own clock: longer while somebody else computes."""

    @abstractmethod
    def __init__(self, index: int) -> None:
        """Open the device."""

    @abstractmethod
    def control_fd(self) -> int:
        """Descriptor of a sealed page that a new worker maps first (flags of the gate); -1 when the device needs none.

        A fresh page per worker: called once for each.
        """

    @abstractmethod
    def allocate(self, nbytes: int) -> SharedBuffer:
        """Make a shared buffer of ``nbytes`` + tail, size sealed, filled with poison."""

    @abstractmethod
    def poison(self, buffer: SharedBuffer, seed: int) -> None:
        """Fill data and tail with fresh pseudo-random bytes."""

    @abstractmethod
    def tail_intact(self, buffer: SharedBuffer) -> bool:
        """Whether the tail still holds what :meth:`poison` (or :meth:`allocate`) wrote."""

    @abstractmethod
    def reveal(self, master: Any, buffer: SharedBuffer, offset: int = 0) -> None:
        """Copy a private input, or a part of one, into the shared buffer, ``offset`` bytes from its start."""

    def correct(self, buffer: SharedBuffer, places: Any, values: Any) -> None:
        """Put a few elements of a revealed input right: the last thing before the gate opens.

        :param places: Numbers of elements, int64, on the device.
        :param values: What belongs there, as integers of the element's size.
        """
        name = str(values.dtype).removeprefix("torch.")
        count = buffer.nbytes // values.element_size()
        buffer.tensor(name, (count,)).scatter_(0, places, values)

    @abstractmethod
    def unchanged(self, master: Any, buffer: SharedBuffer, offset: int = 0) -> bool:
        """Whether the shared input still equals the private one (or the part of it), bit for bit."""

    @abstractmethod
    def flush(self) -> None:
        """Bring the caches into the state that every timed call starts from."""

    @abstractmethod
    def synchronize(self) -> None:
        """Wait until all of the judge's work is done."""

    @abstractmethod
    def through_gate(
        self, link: Link, call_id: bytes, limit: float, outputs: Sequence[Output]
    ) -> tuple[float, list[Any]]:
        """Open the gate for the queued call as soon as the judge's own work is done, and copy its outputs.

        :param limit: Seconds that the call may take.
        :returns: T, seconds by the judge's clock from the gate until the copies are complete; and the copies, as
            :meth:`snapshot` makes them.
        :raises CaseFailure: The call failed, or the worker said done before the gate was open.
        """

    @abstractmethod
    def wait_done(self, link: Link, call_id: bytes, limit: float) -> None:
        """Wait until the worker says an open call is done, at most ``limit`` seconds. Raises CaseFailure."""

    @abstractmethod
    def collect(self, link: Link, call_id: bytes, limit: float) -> float:
        """After the copies: E of that call, seconds by the worker's clock. Raises CaseFailure."""

    @abstractmethod
    def snapshot(self, outputs: Sequence[Output]) -> list[Any]:
        """Private copies of the outputs; complete when this returns.

        The next copies may overwrite them, so that all go to the same place, whoever wrote the outputs.
        """

    @abstractmethod
    def clock(self) -> int:
        """Ns of the judge's monotonic clock."""

    def clock_tick(self) -> float:
        """Smallest step of the ranked clock, seconds."""
        return 1e-9

    @abstractmethod
    def copy_peak(self) -> float:
        """Measured peak of a plain copy, bytes/s counting reads and writes; measured once per session."""

    def memory_free(self) -> int:
        """Bytes that may still be allocated on the device, for skipping sizes that do not fit."""
        return 1 << 62

    def environment(self) -> dict[str, Any]:
        """Versions and properties for the report."""
        return {}

    @abstractmethod
    def close(self) -> None:
        """Give everything back."""


class WorkerDevice(ABC):
    """What the worker does on the device. Small: it runs beside hostile code, and nothing it says is believed."""

    @abstractmethod
    def __init__(self, index: int, control_fd: int) -> None:
        """Open the device; ``control_fd`` is the page of :meth:`JudgeDevice.control_fd` or -1."""

    @abstractmethod
    def map(self, fd: int, nbytes: int, dtype: str, shape: Sequence[int], *, writable: bool) -> Any:
        """Import one shared buffer of ``nbytes`` (data without tail) as a torch tensor."""

    @abstractmethod
    def unmap(self, tensors: Sequence[Any]) -> None:
        """Forget tensors made by :meth:`map`."""

    @abstractmethod
    def run(
        self,
        call: Callable[[], object],
        *,
        number: int,
        gate_open: bool,
        host_gate: bool,
        queued: Callable[[], None],
        wait_go: Callable[[], None],
        timed: bool = True,
    ) -> float:
        """Run one call through the gate.

        :param call: The submission's call; its exceptions pass through.
        :param number: Counts the calls of this worker from 1; devices with flags in memory wait for this value.
        :param gate_open: The call is not timed and nothing has to be waited for.
        :param host_gate: Wait on the host before calling, instead of queueing behind a gate on the device.
        :param queued: Say that everything is enqueued. Called once.
        :param wait_go: Block until the judge's GO message (devices whose gate is the message).
        :param timed: False: nobody looks at E, and what taking it costs can be spared.
        :returns: E, seconds by this process's own clock; finite and positive.
        """

    @abstractmethod
    def null(self, seconds: float = 0.0) -> Callable[[], object]:
        """A call that does nothing, for measuring the harness.

        :param seconds: About how long the device is busy with it; 0 for not at all.
        """

    @abstractmethod
    def loop(self, call: Callable[[], object], mode: Loop) -> float:
        """Time calls without a gate and without the judge, for comparing with other tools.

        :param call: The submission's call, without the copy of what it returns.
        :returns: Seconds of one call, as ``mode`` says; finite and positive.
        """
