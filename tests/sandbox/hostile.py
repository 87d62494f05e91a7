"""Plays hostile matches one after the other, kills playing processes, and lists what they leave on the machine.

``python -m tests.sandbox.hostile BACKEND FOLDER MATCHES MARK`` is a process that plays such matches: it prints its name
as an owner (``sandbox.leftovers``), and a line for each match once the bots run.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack, closing, suppress
from pathlib import Path

import docker
import psutil

import sandbox
from sandbox import cgroups, leftovers
from sandbox.api import BotFault, Limits, Program, Sandbox, TurnLimits
from tests.processes import words_of
from tests.sandbox.programs import python, remains

HOSTILE = (
    "fork_bomb",
    "daemon",
    "daemon_holds_stdout",
    "ignore_signals",
    "leave_something",
    "memory_children",
    "stop_itself",
    "fill_tmp",
)
PROGRAMS = Path(__file__).parents[1] / "attacks" / "programs"
ROOT = Path(__file__).parents[2]
MADE_WITHIN_SECONDS = 10
"""How long an engine may take to make a container on a busy machine."""


def hostile_matches(
    backend: Sandbox, folder: Path, matches: int, mark: str = "", begun: Callable[[], object] = lambda: None
) -> None:
    """Play matches of one turn between two hostile bots; ``mark`` is an argument in the bots' command lines."""
    for number in range(matches):
        names = [HOSTILE[(number + seat) % len(HOSTILE)] for seat in range(2)]
        with ExitStack() as stack:
            bots = [
                stack.enter_context(backend.start(_bot(folder, name, mark), Limits(memory_mib=64))) for name in names
            ]
            begun()
            for bot in bots:
                with suppress(BotFault):
                    bot.ask(["go"], TurnLimits(cpu_ms=50))


def killed_matches(backend: str, folder: Path, matches: int, killed_every: int, mark: str) -> list[str]:
    """Start processes that play hostile matches, kill each in its last match, and return their names as owners.

    Every second process is killed as soon as the match has begun, the others some milliseconds later.
    """
    owners = []
    for number in range(matches // killed_every):
        command = [sys.executable, "-m", "tests.sandbox.hostile", backend, str(folder), str(killed_every + 1), mark]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as player:
            assert player.stdout is not None
            owners.append(player.stdout.readline().strip())
            for _ in range(killed_every):
                assert player.stdout.readline() == "begun\n"
            with suppress(subprocess.TimeoutExpired):
                player.wait(0.02 * (number % 2))
            player.kill()
    return owners


def next_starts(backend: str) -> None:
    """Start a backend twice, as the next workers would: an engine may finish a container of a killed worker later."""
    for _ in range(2):
        sandbox.backend(backend).close()


def machine_state(backend: str, owners: list[str], mark: str) -> set[str]:
    """Return the descriptors, processes, mounts, groups, containers and files of this process and of these owners.

    Close the sandbox before, so that no container started in advance is listed.
    """
    own = psutil.Process()
    traces = {trace for owner in [leftovers.owner(), *owners] for trace in remains(owner, backend)}
    return traces | {  # listed after ``remains``, which waits for containers that are being removed
        *_descriptors(),
        *(f"process {child.pid}" for child in own.children(recursive=True)),
        *(f"process {process.pid}" for process in psutil.process_iter() if mark and mark in words_of(process)),
        *_mounts(backend),
        *(_lost_groups() if backend == "docker" else ()),
    }


def _mounts(backend: str) -> set[str]:
    """Return our mounts, and the engine's mounts that belong to no container in its list.

    Another test may be making a container, which the engine lists once it is made, so this function looks repeatedly.
    """
    mounts = {line for line in Path("/proc/self/mountinfo").read_text().splitlines() if "banzuke" in line}
    layers = {line for line in mounts if "/overlay2/" in line}
    lost, until = layers, time.monotonic() + MADE_WITHIN_SECONDS
    while backend == "docker" and lost and time.monotonic() < until:
        listed = _folders_listed()
        there = set(Path("/proc/self/mountinfo").read_text().splitlines())
        lost = {line for line in lost & there if listed.isdisjoint(line.split())}
    return {f"mount {line}" for line in mounts - layers | (lost if backend == "docker" else set())}


def _folders_listed() -> set[str]:
    """Return the folders where the engine mounts the files of the containers in its list."""
    folders = set()
    with closing(docker.from_env()) as engine:
        for container in engine.api.containers(all=True):
            with suppress(docker.errors.NotFound):  # the container is being removed
                files = engine.api.inspect_container(container["Id"])["GraphDriver"]["Data"]
                if files is not None:  # None for an ended container whose files were removed before its entry
                    folders.add(files["MergedDir"])
    return folders


def _lost_groups() -> set[str]:
    """Return the control groups of containers that have neither a process nor an entry in the engine's list.

    Groups of other tests have no process either while they are made or removed, but then the engine lists them.
    """
    listed = _containers_listed()
    empty = {folder for folder in cgroups.ROOT.glob("*/docker/*/") if not _processes(folder)}
    listed |= _containers_listed()
    return {str(folder) for folder in empty if folder.name not in listed}


def _containers_listed() -> set[str]:
    with closing(docker.from_env()) as engine:
        return {container["Id"] for container in engine.api.containers(all=True)}


def _bot(folder: Path, name: str, mark: str) -> Program:
    root = folder / name
    root.mkdir(exist_ok=True)
    program = python(root, (PROGRAMS / f"{name}.py").read_text())
    return Program(program.root, (*program.argv, mark))


def _processes(group: Path) -> str:
    """Return the processes of a container's group, or a text that says that the group is gone."""
    with suppress(OSError):  # the group is being removed
        return (group / "cgroup.procs").read_text()
    return "none, and no group"


def _descriptors() -> set[str]:
    """Return the open descriptors except sockets, since the engine's client keeps some connections open."""
    targets = {}
    for name in os.listdir("/proc/self/fd"):
        with suppress(FileNotFoundError):  # the descriptor of the listing itself
            targets[name] = os.readlink(f"/proc/self/fd/{name}")
    return {f"descriptor {name}" for name, target in targets.items() if not target.startswith("socket:")}


def play(name: str, folder: str, matches: str, mark: str) -> None:
    """Play so many hostile matches in the backend of this name; see the module."""
    backend = sandbox.backend(name, ahead=2)
    _say(leftovers.owner())
    hostile_matches(backend, Path(folder), int(matches), mark, begun=lambda: _say("begun"))


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    play(*sys.argv[1:])
