"""Start small programs in a sandbox and look for what they leave behind."""

from __future__ import annotations

import subprocess
import tempfile
import textwrap
from pathlib import Path

import docker
import psutil
import pytest

from sandbox import cgroups, leftovers
from sandbox.api import BotFault, Limits, Process, Program, Sandbox, TurnLimits
from sandbox.docker import LABEL

TURN = TurnLimits(cpu_ms=500)
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


def answer_of(walls: Sandbox, program: Program, question: str = "go", limits: Limits | None = None) -> str:
    """Run a program for one turn and return its line."""
    with walls.start(program, limits or Limits()) as process:
        return process.ask([question], TurnLimits(cpu_ms=5_000)).lines[0]


def traces(backend: str) -> set[str]:
    """Return what is there of this process's sandboxes, its children included."""
    children = psutil.Process().children(recursive=True)
    return remains(leftovers.owner(), backend) | {f"bwrap {child.pid}" for child in children if _is_bwrap(child)}


def remains(owner: str, backend: str) -> set[str]:
    """Return what is on this machine of an owner's sandboxes: groups, folders, containers."""
    groups = (f"{cgroups.PARENT}/{owner}.*", f"*/{cgroups.PARENT}/{owner}.*")  # of version 2, of version 1
    found = {str(folder) for pattern in groups for folder in cgroups.ROOT.glob(pattern)}
    found |= {str(path) for path in Path(tempfile.gettempdir()).glob(f"{leftovers.PREFIX}{owner}.*")}
    if backend == "docker":
        label = {"label": f"{LABEL}={owner}"}
        found |= {str(c.id) for c in docker.from_env().containers.list(all=True, filters=label, ignore_removed=True)}
    return found


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
