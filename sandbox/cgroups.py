"""Control groups: a program with all its children is counted, limited, frozen and ended as one.

Version 1 and 2 of the kernel's interface read the same here. Where none can be written (not root),
``sandbox.process_tree`` stands in.
"""

from __future__ import annotations

import errno
import os
import signal
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Protocol

from sandbox.api import Limits, PlatformFault
from sandbox.leftovers import fresh_name, owner_lives
from sandbox.procfs import field_of

ROOT = Path("/sys/fs/cgroup")
OWN_GROUPS = Path("/proc/self/cgroup")
PARENT = "banzuke"
"""All our groups are below this one, at the root of each hierarchy, so that a sweep finds them."""
STEPS = "-steps"
"""What follows in the name of the one in which build steps are: they weigh no more than other programs."""
CPU_SHARES, CPU_WEIGHT = 8 * 1_024, 800
"""Of version 1 and 2: all bots that play weigh together eight times as much as what runs beside them, since their
authors may look at a wall clock. They compute in short turns; what mostly waits, as a web server, runs soon all the
same."""
MIB = 1 << 20
ROOM_FOR_FILES = MIB
"""Who leaves less room (in bytes) for the files that it runs from thrashes."""
AT_LIMIT = MIB
"""Who has come so near to its limit (in bytes) has stood at it: the kernel asks for several pages at once."""


class Group(Protocol):
    """The processes of one program."""

    def pids(self) -> list[int]:
        """Return its live processes."""

    def threads(self) -> int:
        """Return how many threads they have in all; a process that has ended and is not buried counts as one."""

    def cpu_ms(self) -> float:
        """Return the CPU time all of it has used, the dead included."""

    def run_delay_ms(self) -> float:
        """Return how long some of it was ready to run and got no core, the dead included; 0 where no kernel tells."""

    def memory_peak_mib(self) -> float:
        """Return the most memory it has held at once."""

    def memory_kills(self) -> int:
        """Return how many of its processes were killed for memory."""

    def stood_at_memory_limit(self) -> bool:
        """Tell whether it has come to its own limit of memory. Who was killed before that was so for somebody else's.

        The whole machine may be short of memory, or a group around ours (the container or unit of the worker).
        """

    def thrashes(self) -> bool:
        """Tell whether its memory leaves no room for the files it runs from.

        It stands at its limit then, and the kernel, which finds pages of files to drop, drops and reads them again for
        ever and kills nobody.
        """

    def close(self) -> None:
        """Let go of descriptors."""


class _Readable:
    """A file of the kernel's, kept open: reading it again costs a microsecond.

    A group that is an engine's goes with its last process. What it held when it was read last stands then. The attack:
    who ends the whole container, and so that we cannot read any more what it has used.
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
        """Return its present contents."""
        return self._read().decode()

    def number(self) -> int:
        """Return the number that it holds at present."""
        return int(self._read())

    def close(self) -> None:
        """Let go of it."""
        os.close(self._fd)


class KernelGroup(ABC):
    """A group of the kernel's, of either version.

    Args:
        folders: Its folders, that of its memory first.
        pids: Which of them has its processes.
        usage: The file with the CPU time.
        events: The file with the processes killed for memory.
        peak: The file with the most memory held.
    """

    entrances: list[Path]
    """Files by which a process of one thread joins: it writes 0, for itself, to each."""
    _limit_file: str
    _held_file: str

    def __init__(self, folders: tuple[Path, ...], pids: Path, *, usage: Path, events: Path, peak: Path) -> None:
        self.folders = folders
        self._procs = str(pids / "cgroup.procs")
        self._usage, self._events, self._peak = _Readable(usage), _Readable(events), _Readable(peak)
        self._threads = _Readable(pids / "pids.current")

    def pids(self) -> list[int]:
        """Return its live processes."""
        return _pids_in(self._procs)

    def threads(self) -> int:
        """Return how many threads they have in all."""
        return self._threads.number()

    @abstractmethod
    def cpu_ms(self) -> float:
        """Return the CPU time all of it has used."""

    @abstractmethod
    def stood_at_memory_limit(self) -> bool:
        """Tell whether it has come to its own limit of memory."""

    def run_delay_ms(self) -> float:
        """Return how long some of it was ready to run and got no core: 0, which version 1 does not tell."""
        return 0.0

    def memory_peak_mib(self) -> float:
        """Return the most memory it has held at once (what it holds now where the kernel is older than 5.19)."""
        return self._peak.number() / MIB

    def memory_kills(self) -> int:
        """Return how many of its processes were killed for memory."""
        return field_of(self._events.text(), "oom_kill")

    def thrashes(self) -> bool:
        """Tell whether its memory leaves no room for the files it runs from."""
        folder = self.folders[0]
        with suppress(OSError):  # it has just ended
            stat = (folder / "memory.stat").read_text()
            files = sum(field_of(stat, name) for name in ("active_file", "inactive_file"))
            limit, held = (int((folder / name).read_text()) for name in (self._limit_file, self._held_file))
            return limit - held + files < ROOM_FOR_FILES
        return False

    def close(self) -> None:
        """Let go of the open descriptors."""
        for file in (self._usage, self._events, self._threads, self._peak):
            file.close()


class GroupV1(KernelGroup):
    """One folder in each of the hierarchies memory, pids and cpuacct, and in cpu where that is one of its own."""

    _limit_file, _held_file = "memory.limit_in_bytes", "memory.usage_in_bytes"

    def __init__(self, memory: Path, pids: Path, cpuacct: Path, *others: Path) -> None:
        events, peak = memory / "memory.oom_control", memory / "memory.max_usage_in_bytes"
        folders = (memory, pids, cpuacct, *others)
        super().__init__(folders, pids, usage=cpuacct / "cpuacct.usage", events=events, peak=peak)
        self._limit_bytes = int((memory / self._limit_file).read_text())
        # Not cgroup.procs: before it moves a whole process the kernel waits for all cores to have passed a quiet moment
        # (10 to 40 ms), but not for a thread that moves itself ("cgroup: Optimize single thread migration", Linux 5.6).
        self.entrances = [folder / "tasks" for folder in self.folders]

    @classmethod
    def make(cls, name: str, limits: Limits, pids_extra: int, *, plays: bool) -> GroupV1:
        """Make the folders and write the limits."""
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
        """Return the CPU time all of it has used."""
        return self._usage.number() / 1e6

    def stood_at_memory_limit(self) -> bool:
        """Tell whether it has come to its own limit of memory, by the most that it has held."""
        return self._peak.number() > self._limit_bytes - AT_LIMIT


class GroupV2(KernelGroup):
    """One folder in the unified hierarchy."""

    _limit_file, _held_file = "memory.max", "memory.current"

    def __init__(self, folder: Path) -> None:
        peak = folder / "memory.peak"
        if not peak.exists():
            peak = folder / "memory.current"
        super().__init__((folder,), folder, usage=folder / "cpu.stat", events=folder / "memory.events", peak=peak)
        self.entrances = [folder / "cgroup.procs"]

    @classmethod
    def make(cls, name: str, limits: Limits, pids_extra: int, *, plays: bool) -> GroupV2:
        """Make the folder and write the limits."""
        parent = ROOT / _parent(plays=plays)
        parent.mkdir(exist_ok=True)
        for folder in (ROOT, parent):
            (folder / "cgroup.subtree_control").write_text("+memory +pids")
        with suppress(OSError):  # without the controller of cores, which some machines keep to themselves
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
        """Return the CPU time all of it has used."""
        return field_of(self._usage.text(), "usage_usec") / 1e3

    def stood_at_memory_limit(self) -> bool:
        """Tell whether it has come to its own limit of memory: of others' the kernel does not tell here."""
        return field_of(self._events.text(), "oom") > 0

    def run_delay_ms(self) -> float:
        """Return how long some of it was ready to run and got no core; 0 where the kernel keeps no such account."""
        try:
            some = (self.folders[0] / "cpu.pressure").read_text().splitlines()[0]
        except OSError:
            return 0.0
        return int(some.rsplit("total=", 1)[1]) / 1e3


def problem() -> str:
    """Try whether groups can be made here, by making one; return why they cannot, empty if they can."""
    try:
        group = make(Limits(), 0)
    except (OSError, PlatformFault) as error:
        return str(error)
    remove(group)
    return ""


def make(limits: Limits, pids_extra: int, *, plays: bool = True) -> KernelGroup:
    """Make a group with limits.

    Args:
        limits: those of the program.
        pids_extra: what the sandbox's own helpers need beside it.
        plays: whether it is a bot that plays, which weighs more than other programs.

    Raises:
        OSError: groups cannot be written here.
    """
    kind = GroupV2 if _unified() else GroupV1
    return kind.make(fresh_name(), limits, pids_extra, plays=plays)


def of_process(pid: int) -> KernelGroup:
    """Return the group another one (a container engine) has put a process in.

    Raises:
        PlatformFault: its folders are not to be seen from here.
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


def quota_file() -> Path | None:
    """Return the file that sets a quota of CPU time for this process, or for a group around it; None if none does."""
    entries = [line.split(":", 2) for line in OWN_GROUPS.read_text().splitlines()]
    top, name = (ROOT, "cpu.max") if _unified() else (ROOT / "cpu", "cpu.cfs_quota_us")
    for _, controllers, path in entries:
        if ("" if _unified() else "cpu") in controllers.split(","):
            group = top / path.lstrip("/")
            for folder in (group, *group.parents):
                if folder.is_relative_to(top) and _is_quota(folder / name):
                    return folder / name
    return None


def _is_quota(file: Path) -> bool:
    try:
        return file.read_text().split()[0] not in ("max", "-1")
    except OSError:  # the topmost group has none, nor has one that is not seen from inside a container
        return False


def sweep() -> None:
    """Remove the groups of workers that were killed, with whatever still runs in them.

    Raises:
        PlatformFault: a process would not die, or a group would not go.
    """
    for parent in _parents():
        for folder in parent.glob("[0-9]*.*.*"):
            if not owner_lives(folder.name):
                _empty(partial(_pids_in, str(folder / "cgroup.procs")))
                _rmdir(folder)


def remove_parents() -> None:
    """Remove the folders that held our groups, if no other worker's group is in them."""
    for parent in _parents():
        with suppress(OSError):  # another arena on this machine uses it
            parent.rmdir()


def remove(group: KernelGroup) -> None:
    """End all processes of a group of ours and remove its folders.

    Raises:
        PlatformFault: a process would not die.
    """
    _empty(group.pids)
    group.close()
    for folder in group.folders:
        _rmdir(folder)


def _parent(*, plays: bool) -> str:
    return PARENT if plays else PARENT + STEPS


def _parents() -> list[Path]:
    """Return all folders that hold our groups."""
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
        time.sleep(0.001)  # the kernel tells nobody when a version 1 group runs empty


def _rmdir(folder: Path) -> None:
    for _ in range(100):  # EBUSY while the last process is being reaped
        try:
            folder.rmdir()
        except FileNotFoundError:  # another worker swept it at the same time
            return
        except OSError:
            time.sleep(0.005)
        else:
            return
    raise PlatformFault(f"The control group {folder} cannot be removed.")


def _unified() -> bool:
    return (ROOT / "cgroup.controllers").exists()


def _pids_in(procs: str) -> list[int]:
    """Read a list of processes, opening it anew: version 1 shows an open one as it was when it was opened."""
    try:
        fd = os.open(procs, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:  # the group has gone, and so have they
        return []
    try:
        return [int(line) for line in os.read(fd, 65_536).split()]
    except OSError:  # ENODEV: it is going just now
        return []
    finally:
        os.close(fd)
