"""Hostile matches one after the other, players killed in the middle of them, and what of a machine that could change.

``python -m tests.sandbox.hostile BACKEND FOLDER MATCHES MARK`` is a player of its own: it prints its owner's name, and
a line for each match once its bots run.
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
"""What an engine needs for a container on a busy machine."""


def hostile_matches(
    walls: Sandbox, folder: Path, matches: int, mark: str = "", begun: Callable[[], object] = lambda: None
) -> None:
    """Let two hostile bots play a match of one turn, so often; ``mark`` stands on their command lines."""
    for number in range(matches):
        names = [HOSTILE[(number + seat) % len(HOSTILE)] for seat in range(2)]
        with ExitStack() as stack:
            bots = [stack.enter_context(walls.start(_bot(folder, name, mark), Limits(memory_mib=64))) for name in names]
            begun()
            for bot in bots:
                with suppress(BotFault):
                    bot.ask(["go"], TurnLimits(cpu_ms=50))


def killed_matches(backend: str, folder: Path, matches: int, killed_every: int, mark: str) -> list[str]:
    """Let players of their own play hostile matches; kill each in its last match, and return the names of all.

    Every second is killed as soon as the match has begun, the others some milliseconds later.
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
    """Start twice, as the next workers would: what an engine was just making for the killed is there a moment later."""
    for _ in range(2):
        sandbox.backend(backend).close()


def machine_state(backend: str, owners: list[str], mark: str) -> set[str]:
    """Return what is there of us and of these players: descriptors, processes, mounts, groups, containers, files.

    Nothing may be waiting ahead: close the sandbox before.
    """
    own = psutil.Process()
    traces = {trace for owner in [leftovers.owner(), *owners] for trace in remains(owner, backend)}
    return traces | {  # behind them: they wait for what is just going
        *_descriptors(),
        *(f"process {child.pid}" for child in own.children(recursive=True)),
        *(f"process {process.pid}" for process in psutil.process_iter() if mark and mark in words_of(process)),
        *_mounts(backend),
        *(_lost_groups() if backend == "docker" else ()),
    }


def _mounts(backend: str) -> set[str]:
    """Return our mounts, and the engine's but for those of containers that it lists: ours are told by their labels.

    The engine lists a container, as a neighbour may just be making one, when it is made: until then we look again.
    """
    mounts = {line for line in Path("/proc/self/mountinfo").read_text().splitlines() if "banzuke" in line}
    layers = {line for line in mounts if "/overlay2/" in line}
    lost, until = layers, time.monotonic() + MADE_WITHIN_SECONDS
    while backend == "docker" and lost and time.monotonic() < until:
        listed = _folders_listed()
        there = set(Path("/proc/self/mountinfo").read_text().splitlines())
        lost = {line for line in lost & there if listed.isdisjoint(line.split())}
    return {f"mount {line}" for line in mounts - layers | lost}


def _folders_listed() -> set[str]:
    """Return where the engine mounts the files of the containers in its list."""
    folders = set()
    with closing(docker.from_env()) as engine:
        for container in engine.api.containers(all=True):
            with suppress(docker.errors.NotFound):  # it is going just now
                files = engine.api.inspect_container(container["Id"])["GraphDriver"]["Data"]
                if files is not None:  # as it is of a dead one, whose files are gone and whose entry is not yet
                    folders.add(files["MergedDir"])
    return folders


def _lost_groups() -> set[str]:
    """Return the control groups of containers that have neither a process nor an entry in the engine's list.

    Others' are without a process, too, while they are made or removed, but the engine has them in its list then.
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
    """Return the processes of a container's group: while there are any, it is in use; ours are told by their mark."""
    with suppress(OSError):  # it is going just now
        return (group / "cgroup.procs").read_text()
    return "none, and no group"


def _descriptors() -> set[str]:
    """Return the open descriptors, but for sockets: the engine's client keeps a handful of connections."""
    targets = {}
    for name in os.listdir("/proc/self/fd"):
        with suppress(FileNotFoundError):  # that of the listing itself
            targets[name] = os.readlink(f"/proc/self/fd/{name}")
    return {f"descriptor {name}" for name, target in targets.items() if not target.startswith("socket:")}


def play(backend: str, folder: str, matches: str, mark: str) -> None:
    """Be a player."""
    walls = sandbox.backend(backend, ahead=2)
    _say(leftovers.owner())
    hostile_matches(walls, Path(folder), int(matches), mark, begun=lambda: _say("begun"))


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    play(*sys.argv[1:])
