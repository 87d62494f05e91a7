"""Reads what this machine, and the control groups around this process, leave to the worker and its bots."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from sandbox import cgroups
from sandbox.cgroups import MIB
from sandbox.procfs import field_of

MEMINFO = Path("/proc/meminfo")


@dataclass(frozen=True, slots=True)
class Memory:
    """Memory of a machine or of a control group, in MiB."""

    total: int
    free: int
    """What programs can still get, including what now only caches files."""


def memory() -> Memory:
    """Return the memory for programs here: that of the machine, or of a group around this process that has less."""
    counted = [_of_machine(), *_of_groups()]
    return Memory(min(each.total for each in counted), min(each.free for each in counted))


def _of_machine() -> Memory:
    fields = MEMINFO.read_text()
    return Memory(*(field_of(fields, f"{name}:") // 1_024 for name in ("MemTotal", "MemAvailable")))


def _of_groups() -> Iterator[Memory]:
    """Yield the memory of each group around this process that has a limit."""
    for folder in cgroups.around("memory"):
        for limit, held, prefix in (
            ("memory.max", "memory.current", ""),
            ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_"),
        ):
            # The root group has no such files, groups outside of a container cannot be seen from inside it, and the
            # file of version 2 may say "max".
            with suppress(OSError, ValueError):
                total, used = (int((folder / name).read_text()) for name in (limit, held))
                stat = (folder / "memory.stat").read_text()
                files = sum(field_of(stat, f"{prefix}{kind}_file") for kind in ("active", "inactive"))
                yield Memory(total // MIB, (total - used + files) // MIB)


def quota_file() -> Path | None:
    """Return the file that limits the CPU time of this process by a quota, None if no group around it has one."""
    names = ("cpu.max", "cpu.cfs_quota_us")
    files = (folder / name for folder in cgroups.around("cpu") for name in names)
    return next(filter(_is_quota, files), None)


def _is_quota(file: Path) -> bool:
    try:
        return file.read_text().split()[0] not in ("max", "-1")
    except OSError:  # the root group has no such file, and groups outside of a container cannot be seen from inside it
        return False
