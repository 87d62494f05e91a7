"""Names for what a process creates outside of itself, by which the next start finds and removes it after a crash."""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import ExitStack
from functools import cache
from itertools import count
from pathlib import Path

from sandbox.procfs import stat_fields

PREFIX = "banzuke-"

_numbers = count()


def owner() -> str:
    """Return a name for this process that no other process of this machine has, or will have.

    It consists of the process number, the start time, and the number of the process namespace.
    """
    return f"{os.getpid()}.{start_time(os.getpid())}.{namespace()}"


@cache
def namespace() -> str:
    """Return the number of this process's PID namespace, as text."""
    return os.readlink("/proc/self/ns/pid").strip("pid:[]")


def fresh_name() -> str:
    """Return a new unique name that begins with ``owner()``."""
    return f"{owner()}.{next(_numbers)}"


def owner_lives(name: str) -> bool:
    """Return whether the process that owns a name (``owner()`` at its beginning) still runs.

    A process of another PID namespace cannot be seen from here and counts as running; otherwise a worker in a container
    would kill the programs of workers outside. Processes of that namespace remove what it leaves. A name in an unknown
    form counts as one of another namespace.

    A zombie counts as ended: the init process that has to collect it may take a second, and the first process of many
    containers never does.
    """
    pid, start, own_namespace = [*name.split("."), ""][:3]
    if own_namespace != namespace():
        return True
    try:
        fields = stat_fields(f"/proc/{int(pid)}/stat")
    except OSError:
        return False
    return fields[0] not in "ZX" and _start_time(fields) == int(start)


def temporary_folder(undo: ExitStack) -> Path:
    """Create a temporary folder that other users can enter but not list; ``undo`` or the next sweep removes it.

    The name holds no running number. The attack: a bot reads the name in /proc/self/mountinfo, as the source of /bot,
    and so learns how many bots the worker has run.
    """
    folder = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{owner()}."))
    undo.callback(shutil.rmtree, folder)
    folder.chmod(0o711)
    return folder


def sweep_folders() -> None:
    """Remove the temporary folders of processes that have ended."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}[0-9]*.*.*"):
        if not owner_lives(folder.name.removeprefix(PREFIX)):
            shutil.rmtree(folder, ignore_errors=True)  # another worker may remove it at the same time


def start_time(pid: int) -> int:
    """Return when a process was started, in clock ticks since the machine started."""
    return _start_time(stat_fields(f"/proc/{pid}/stat"))


def _start_time(fields: list[str]) -> int:
    return int(fields[19])
