"""Control groups of the kernel: they count and limit a program together with all its child processes.

The classes here hide the differences between versions 1 and 2 of the kernel's interface. Where this process may not
create groups (it is not root), ``sandbox.process_tree`` does the same work without them.
"""

from __future__ import annotations

import errno
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

from sandbox.api import Limits, PlatformFault
from sandbox.group import Group
from sandbox.leftovers import fresh_name, owner_lives
from sandbox.procfs import field_of

ROOT = Path("/sys/fs/cgroup")
OWN_GROUPS = Path("/proc/self/cgroup")
PARENT = "banzuke"
"""The parent of all our groups, at the root of each hierarchy, where ``sweep`` finds them."""
STEPS = "-steps"
"""Suffix of the parent group of build steps, which get no more CPU weight than other programs."""
CPU_SHARES, CPU_WEIGHT = 8 * 1_024, 800
"""CPU weight of all playing bots together, in versions 1 and 2: eight times the default, since authors may look at a
wall clock. Bots compute in short turns, so a process that mostly waits, such as a web server, still runs soon."""
MIB = 1 << 20
FILE_CACHE_MIN = MIB
"""A program that leaves the kernel less memory than this (bytes) to cache its files thrashes."""
LIMIT_MARGIN = MIB
"""A program has reached its limit when less than this (bytes) is left, since the kernel takes several pages at once."""


class _Readable:
    """A file of a control group, kept open, since reading an open file again takes only a microsecond.

    A container engine deletes a group with its last process; from then on the last value that was read is returned.
    The attack: a bot ends its whole container, so that the worker can no longer read what the bot has used.
    """

    def __init__(self, path: Path) -> None:
        self._fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        self._last = os.pread(self._fd, 4_096, 0)

    def _read(self) -> bytes:
        try:
            self._last = os.pread(self._fd, 4_096, 0)
        except OSError as error:
            if error.errno != errno.ENODEV:
                raise
        return self._last

    def text(self) -> str:
        """Return the present contents of the file."""
        return self._read().decode()

    def number(self) -> int:
        """Return the number that the file holds at present."""
        return int(self._read())

    def close(self) -> None:
        """Close the file."""
        os.close(self._fd)


class KernelGroup(Group):
    """A control group of either version.

    Args:
        folders: The folders of the group, that of its memory controller first.
        pids: The one of these folders that lists the processes.
        usage: The file with the CPU time.
        events: The file with the number of processes killed for memory.
        peak: The file with the most memory used.
    """

    entrances: list[Path]
    """A process with a single thread joins the group by writing 0 to each of these files."""
    _limit_file: str
    _held_file: str

    def __init__(self, folders: tuple[Path, ...], pids: Path, *, usage: Path, events: Path, peak: Path) -> None:
        self.folders = folders
        self._procs = str(pids / "cgroup.procs")
        self._usage, self._events, self._peak = _Readable(usage), _Readable(events), _Readable(peak)
        self._threads = _Readable(pids / "pids.current")

    def pids(self) -> list[int]:
        """Return the numbers of the live processes."""
        return _pids_in(self._procs)

    def threads(self) -> int:
        """Return the number of threads of all processes."""
        return self._threads.number()

    def memory_peak_mib(self) -> float:
        """Return the most memory used at one time (on kernels before 5.19 with version 2: the memory used now)."""
        return self._peak.number() / MIB

    def memory_kills(self) -> int:
        """Return how many of the processes the kernel killed for lack of memory."""
        return field_of(self._events.text(), "oom_kill")

    def thrashes(self) -> bool:
        """Return whether the group has too little memory left to cache the files that it runs from."""
        folder = self.folders[0]
        with suppress(OSError):  # the group has just been deleted
            stat = (folder / "memory.stat").read_text()
            files = sum(field_of(stat, name) for name in ("active_file", "inactive_file"))
            limit, held = (int((folder / name).read_text()) for name in (self._limit_file, self._held_file))
            return limit - held + files < FILE_CACHE_MIN
        return False

    def close(self) -> None:
        """Close the descriptors of the kernel's files."""
        for file in (self._usage, self._events, self._threads, self._peak):
            file.close()


class GroupV1(KernelGroup):
    """A group of version 1: a folder in each of the hierarchies memory, pids, cpuacct, and cpu if it is separate."""

    _limit_file, _held_file = "memory.limit_in_bytes", "memory.usage_in_bytes"

    def __init__(self, memory: Path, pids: Path, cpuacct: Path, *others: Path) -> None:
        events, peak = memory / "memory.oom_control", memory / "memory.max_usage_in_bytes"
        folders = (memory, pids, cpuacct, *others)
        super().__init__(folders, pids, usage=cpuacct / "cpuacct.usage", events=events, peak=peak)
        self._limit_bytes = int((memory / self._limit_file).read_text())
        # Not cgroup.procs: to move a whole process the kernel first waits for an RCU grace period (10 to 40 ms), which
        # it skips for a thread that moves itself ("cgroup: Optimize single thread migration", Linux 5.6).
        self.entrances = [folder / "tasks" for folder in self.folders]

    @classmethod
    def make(cls, name: str, limits: Limits, pids_extra: int, *, plays: bool) -> GroupV1:
        """Create the folders and write the limits; see ``make`` of this module."""
        parent = _parent(plays=plays)
        cpu = ROOT / "cpu"
        controllers = ["memory", "pids", "cpuacct"]
        if cpu.exists() and not cpu.samefile(ROOT / "cpuacct"):
            controllers.append("cpu")
        folders = [ROOT / controller / parent / name for controller in controllers]
        for folder in folders:
            folder.mkdir(parents=True)
        if plays and cpu.exists():
            (cpu / parent / "cpu.shares").write_text(str(CPU_SHARES))
        memory, pids, *_ = folders
        size = str(limits.memory_mib * MIB)
        (memory / "memory.limit_in_bytes").write_text(size)
        if (swap := memory / "memory.memsw.limit_in_bytes").exists():
            swap.write_text(size)
        (memory / "memory.swappiness").write_text("0")
        (pids / "pids.max").write_text(str(limits.pids_max + pids_extra))
        return cls(*folders)

    def cpu_ms(self) -> float:
        """Return the CPU time that all processes have used."""
        return self._usage.number() / 1e6

    def stood_at_memory_limit(self) -> bool:
        """Return whether the most memory used comes within ``LIMIT_MARGIN`` of the group's own limit."""
        return self._peak.number() > self._limit_bytes - LIMIT_MARGIN


class GroupV2(KernelGroup):
    """A group of version 2: one folder in the unified hierarchy."""

    _limit_file, _held_file = "memory.max", "memory.current"

    def __init__(self, folder: Path) -> None:
        peak = folder / "memory.peak"
        if not peak.exists():
            peak = folder / "memory.current"
        super().__init__((folder,), folder, usage=folder / "cpu.stat", events=folder / "memory.events", peak=peak)
        self.entrances = [folder / "cgroup.procs"]

    @classmethod
    def make(cls, name: str, limits: Limits, pids_extra: int, *, plays: bool) -> GroupV2:
        """Create the folder and write the limits; see ``make`` of this module."""
        parent = ROOT / _parent(plays=plays)
        parent.mkdir(exist_ok=True)
        for folder in (ROOT, parent):
            (folder / "cgroup.subtree_control").write_text("+memory +pids")
        with suppress(OSError):  # some machines offer no cpu controller; bots then play without the extra weight
            (ROOT / "cgroup.subtree_control").write_text("+cpu")
            if plays:
                (parent / "cpu.weight").write_text(str(CPU_WEIGHT))
        folder = parent / name
        folder.mkdir()
        (folder / "memory.max").write_text(str(limits.memory_mib * MIB))
        if (swap := folder / "memory.swap.max").exists():
            swap.write_text("0")
        (folder / "pids.max").write_text(str(limits.pids_max + pids_extra))
        return cls(folder)

    def cpu_ms(self) -> float:
        """Return the CPU time that all processes have used."""
        return field_of(self._usage.text(), "usage_usec") / 1e3

    def stood_at_memory_limit(self) -> bool:
        """Return whether the group has reached its own memory limit: ``oom`` counts no limit of groups around it."""
        return field_of(self._events.text(), "oom") > 0

    def run_delay_ms(self) -> float:
        """Return how long at least one thread was ready to run and got no core; 0 if the kernel does not count it."""
        try:
            some = (self.folders[0] / "cpu.pressure").read_text().splitlines()[0]
        except OSError:
            return 0.0
        return int(some.rsplit("total=", 1)[1]) / 1e3


def problem() -> str:
    """Return why this process cannot create control groups, empty if it can: it tries to create one."""
    try:
        group = make(Limits(), 0)
    except (OSError, PlatformFault) as error:
        return str(error)
    remove(group)
    return ""


def make(limits: Limits, pids_extra: int, *, plays: bool = True) -> KernelGroup:
    """Create a control group with limits.

    Args:
        limits: the limits of the program.
        pids_extra: how many processes of the sandbox itself run in the group beside the program.
        plays: whether the program is a playing bot, which gets more CPU weight than a build step.

    Raises:
        OSError: this process may not create groups.
    """
    kind = GroupV2 if _unified() else GroupV1
    return kind.make(fresh_name(), limits, pids_extra, plays=plays)


def of_process(pid: int) -> KernelGroup:
    """Return the control group in which a container engine has put a process.

    Raises:
        PlatformFault: this process cannot see the group's folders.
    """
    try:
        entries = [line.split(":", 2) for line in Path(f"/proc/{pid}/cgroup").read_text().splitlines()]
        if _unified():
            return GroupV2(ROOT / entries[-1][2].lstrip("/"))
        paths = {controller: path.lstrip("/") for _, names, path in entries for controller in names.split(",")}
        return GroupV1(*(ROOT / name / paths[name] for name in ("memory", "pids", "cpuacct")))
    except (OSError, KeyError) as error:
        raise PlatformFault(
            f"The control group of the container's process {pid} cannot be read. The container engine must run on the "
            f"worker's own machine, and the worker must see the machine's processes and /sys/fs/cgroup. ({error})"
        ) from error


def around(controller: str) -> Iterator[Path]:
    """Yield the folders of the groups around this process that have a ``controller``, the innermost first.

    The controller is ``cpu`` or ``memory``; in version 1 each has groups of its own. A folder need not exist, since the
    process may not see all groups.
    """
    top = ROOT if _unified() else ROOT / controller
    for line in OWN_GROUPS.read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        if ("" if _unified() else controller) in controllers.split(","):
            group = top / path.lstrip("/")
            yield from (folder for folder in (group, *group.parents) if folder.is_relative_to(top))


def sweep() -> None:
    """Remove the groups of workers that were killed, and kill the processes in them.

    Raises:
        PlatformFault: a process does not die, or a group cannot be removed.
    """
    for parent in _parents():
        for folder in parent.glob("[0-9]*.*.*"):
            if not owner_lives(folder.name):
                _empty(partial(_pids_in, str(folder / "cgroup.procs")))
                _rmdir(folder)


def remove_parents() -> None:
    """Remove the parent groups, unless they still hold a group of another worker."""
    for parent in _parents():
        with suppress(OSError):  # another arena on this machine uses it
            parent.rmdir()


def remove(group: KernelGroup) -> None:
    """Kill all processes of a group that this process created, and remove its folders.

    Raises:
        PlatformFault: a process does not die, or a folder cannot be removed.
    """
    _empty(group.pids)
    group.close()
    for folder in group.folders:
        _rmdir(folder)


def _parent(*, plays: bool) -> str:
    return PARENT if plays else PARENT + STEPS


def _parents() -> list[Path]:
    """Return the folders of both parent groups in all hierarchies."""
    names = [_parent(plays=plays) for plays in (True, False)]
    return [folder for name in names for folder in ROOT.glob(name if _unified() else f"*/{name}")]


def _empty(pids: Callable[[], list[int]]) -> None:
    deadline = time.monotonic() + 10
    while alive := pids():
        for pid in alive:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        if time.monotonic() > deadline:
            raise PlatformFault(f"The processes {alive} of a sandbox do not die.")
        time.sleep(0.001)  # the kernel notifies nobody when a group of version 1 becomes empty


def _rmdir(folder: Path) -> None:
    for _ in range(100):  # EBUSY while the last process is being reaped
        try:
            return folder.rmdir()
        except FileNotFoundError:  # another worker swept it at the same time
            return
        except OSError:
            time.sleep(0.005)
    raise PlatformFault(f"The control group {folder} cannot be removed.")


def _unified() -> bool:
    return (ROOT / "cgroup.controllers").exists()


def _pids_in(procs: str) -> list[int]:
    """Return the process numbers in a file ``cgroup.procs``, empty if the group has been deleted.

    The file is opened for every reading, since version 1 shows an open file as it was when it was opened.
    """
    try:
        with open(procs, "rb", buffering=0) as file:
            return [int(line) for line in file.read().split()]
    except OSError as error:
        if error.errno not in (errno.ENOENT, errno.ENODEV):  # the latter: the group is being deleted
            raise
        return []
