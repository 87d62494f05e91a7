"""What a killed worker leaves behind is found by its owner's name and removed at the next start."""

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
    """Return a name for this process that no other process of this machine has, nor any later one.

    Its number, when it started, and the namespace in which the number is its own.
    """
    return f"{os.getpid()}.{start_time(os.getpid())}.{namespace()}"


@cache
def namespace() -> str:
    """Return the number of the namespace of processes that this process sees."""
    return os.readlink("/proc/self/ns/pid").strip("pid:[]")


def fresh_name() -> str:
    """Return a name nobody has, starting with the owner's."""
    return f"{owner()}.{next(_numbers)}"


def owner_lives(name: str) -> bool:
    """Tell whether the process whose ``owner()`` starts this name still runs, as far as it can be seen from here.

    One of another namespace cannot be seen. A worker in a container of its own took the workers of the machine and of
    other containers for dead, and ended their programs; so it is taken for alive, and only its own kind removes what
    it leaves. The same goes for a name in another form, of an older version.

    One that has ended and waits to be collected does not: who is to collect the children of a killed worker may take
    a second, or never do it, as the first process of many a container.
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
    """Make a folder that others can walk into if they know of it, removed by ``undo`` or the next sweep.

    Its name has no running number. The attack: a bot reads it in /proc/self/mountinfo, as the source of /bot, and knows
    how many bots the worker has run.
    """
    folder = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{owner()}."))
    undo.callback(shutil.rmtree, folder)
    folder.chmod(0o711)
    return folder


def sweep_folders() -> None:
    """Remove the temporary folders of processes that have gone."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}[0-9]*.*.*"):
        if not owner_lives(folder.name.removeprefix(PREFIX)):
            shutil.rmtree(folder, ignore_errors=True)  # another worker may be sweeping too


def start_time(pid: int) -> int:
    """Return when a process was started, in the kernel's ticks."""
    return _start_time(stat_fields(f"/proc/{pid}/stat"))


def _start_time(fields: list[str]) -> int:
    return int(fields[19])
