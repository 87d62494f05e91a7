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
from sandbox.api import BotFault, Limits, Program, Sandbox, TurnLimits
from sandbox.docker import LABEL

TURN = TurnLimits(cpu_ms=500)
MOMENT_SECONDS = 0.1
"""How long it takes on a busy machine to fill the folder of a container that was started in advance."""
ECHO = "import sys\nfor line in sys.stdin:\n    print(line.strip())\n"


def python(folder: Path, source: str) -> Program:
    """Write a Python program of one file and return it."""
    (folder / "main.py").write_text(textwrap.dedent(source))
    return Program(folder, ("/usr/bin/python3", "-u", "main.py"))


def fault_of(backend: Sandbox, program: Program, turn: TurnLimits = TURN, limits: Limits | None = None) -> BotFault:
    """Run a program that must fail in its first turn, and return its fault."""
    with backend.start(program, limits or Limits()) as process, pytest.raises(BotFault) as caught:
        process.ask(["go"], turn)
    return caught.value


def answer_of(backend: Sandbox, program: Program, question: str = "go") -> str:
    """Run a program for one turn and return its answer, one line."""
    with backend.start(program, Limits()) as process:
        return process.ask([question], TurnLimits(cpu_ms=5_000)).lines[0]


def traces(backend: str) -> set[str]:
    """Return what exists on this machine of the sandboxes of this process and its children."""
    children = psutil.Process().children(recursive=True)
    return remains(leftovers.owner(), backend) | {f"bwrap {child.pid}" for child in children if _is_bwrap(child)}


@contextmanager
def owners_may_die() -> Iterator[None]:
    """Hold a lock of this machine in the block, for tests that kill owners or look for what killed owners leave."""
    folder = os.open(Path(__file__).parent, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


@contextmanager
def one_core() -> Iterator[int]:
    """Bind this process to one core in the block, as a playing worker does; yield the core."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    try:
        yield min(before)
    finally:
        os.sched_setaffinity(0, before)


def remains(owner: str, backend: str) -> set[str]:
    """Return the groups, folders and containers of an owner's sandboxes, except containers started in advance."""
    groups = (f"{cgroups.PARENT}*/{owner}.*", f"*/{cgroups.PARENT}*/{owner}.*")  # in version 2, in version 1
    found = {str(folder) for pattern in groups for folder in cgroups.ROOT.glob(pattern)}
    folders = Path(tempfile.gettempdir()).glob(f"{leftovers.PREFIX}{owner}.*")
    found |= {str(folder) for folder in folders if not _waits(folder, owner)}
    if backend == "docker":
        found |= _containers(owner)
    return found


def _waits(folder: Path, owner: str) -> bool:
    """Return whether the folder belongs to a container that was started in advance, and its owner lives."""
    if not leftovers.owner_lives(owner):
        return False
    if not any(folder.glob("*/*")):  # the folder is being created
        time.sleep(MOMENT_SECONDS)
    return (folder / "io").exists() and not (folder / "io" / "run").exists()


def _containers(owner: str) -> set[str]:
    """Return an owner's containers, after waiting for those that the engine is removing in the background."""
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
    """Wait until a container is removed, for at most 10 s.

    Raises:
        NotFound: the container is removed.
    """
    # The engine may lose a request to wait, so it is asked again every second.
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
