"""Start small programs in a sandbox and look for what they leave behind."""

from __future__ import annotations

import fcntl
import os
import subprocess
import tempfile
import textwrap
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import docker
import psutil
import pytest
import requests
from docker.errors import NotFound

from sandbox import cgroups, leftovers
from sandbox.api import BotFault, Limits, Process, Program, Sandbox, TurnLimits
from sandbox.docker import LABEL

TURN = TurnLimits(cpu_ms=500)
MOMENT_SECONDS = 0.1
"""What the folder of a container that waits takes to be filled, on a busy machine: nothing tells of its end."""
ECHO = "import sys\nfor line in sys.stdin:\n    print(line.strip())\n"


def python(folder: Path, source: str) -> Program:
    """Write a program of one file."""
    (folder / "main.py").write_text(textwrap.dedent(source))
    return Program(folder, ("/usr/bin/python3", "-u", "main.py"))


def fault_of(walls: Sandbox, program: Program, turn: TurnLimits = TURN, limits: Limits | None = None) -> BotFault:
    """Run a program that is bound to break its first turn, and return how."""
    with walls.start(program, limits or Limits()) as process, pytest.raises(BotFault) as caught:
        process.ask(["go"], turn)
    return caught.value


def answer_of(walls: Sandbox, program: Program, question: str = "go") -> str:
    """Run a program for one turn and return its line."""
    with walls.start(program, Limits()) as process:
        return process.ask([question], TurnLimits(cpu_ms=5_000)).lines[0]


def traces(backend: str) -> set[str]:
    """Return what is there of this process's sandboxes, its children included."""
    children = psutil.Process().children(recursive=True)
    return remains(leftovers.owner(), backend) | {f"bwrap {child.pid}" for child in children if _is_bwrap(child)}


@contextmanager
def owners_may_die() -> Iterator[None]:
    """Be alone, on this machine, with leaving what dead owners leave, or with looking for it."""
    folder = os.open(Path(__file__).parent, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def remains(owner: str, backend: str) -> set[str]:
    """Return what is on this machine of an owner's sandboxes: groups, folders, containers; but not what waits ahead."""
    groups = (f"{cgroups.PARENT}*/{owner}.*", f"*/{cgroups.PARENT}*/{owner}.*")  # of version 2, of version 1
    found = {str(folder) for pattern in groups for folder in cgroups.ROOT.glob(pattern)}
    folders = Path(tempfile.gettempdir()).glob(f"{leftovers.PREFIX}{owner}.*")
    found |= {str(folder) for folder in folders if not _waits(folder, owner)}
    if backend == "docker":
        found |= _containers(owner)
    return found


def _waits(folder: Path, owner: str) -> bool:
    """Tell whether the folder is that of a container that waits for a program of a living owner."""
    if not leftovers.owner_lives(owner):
        return False
    if not any(folder.glob("*/*")):  # it is just being made
        time.sleep(MOMENT_SECONDS)
    return (folder / "io").exists() and not (folder / "io" / "run").exists()


def _containers(owner: str) -> set[str]:
    """Return an owner's containers. What the engine is removing just now is waited for: it does that behind us."""
    api, found = docker.from_env().api, set()
    for container in api.containers(all=True, filters={"label": f"{LABEL}={owner}"}):
        folders = [Path(mount["Source"]).parent for mount in container["Mounts"] if mount["Destination"] == "/io"]
        if any(_waits(folder, owner) for folder in folders):
            continue
        if any(folder.exists() for folder in folders):
            found.add(container["Id"])
        else:
            with suppress(NotFound):
                _await_removal(api, container["Id"])
                found.add(container["Id"])
    return found


def _await_removal(api: docker.APIClient, container: str) -> None:
    """Wait until a container is removed, 10 s at most.

    Raises:
        NotFound: it is.
    """
    # The engine may forget who waits, so it is asked once more, and anew every second.
    for _ in range(10):
        with suppress(requests.ConnectionError, requests.ReadTimeout):
            api.wait(container, timeout=1, condition="removed")
        api.inspect_container(container)


def _is_bwrap(process: psutil.Process) -> bool:
    try:
        return process.name() == "bwrap"
    except psutil.NoSuchProcess:
        return False


def compiled(folder: Path, source: Path) -> Program:
    """Compile a C program on this machine into the folder."""
    subprocess.run(["gcc", "-o", folder / "main", source], check=True)
    return Program(folder, ("/bot/main",))


__all__ = ["ECHO", "TURN", "Process", "answer_of", "compiled", "fault_of", "python", "remains", "traces"]
