"""Hostile matches one after the other, and what of a machine they could change for good."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path

import psutil

from sandbox import cgroups, leftovers
from sandbox.api import BotFault, Limits, Sandbox, TurnLimits
from tests.sandbox.programs import python

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


def hostile_matches(walls: Sandbox, folder: Path, rounds: int) -> None:
    """Let two hostile bots in turn play a match of one turn, so often."""
    for number in range(rounds):
        pair = [HOSTILE[(number + seat) % len(HOSTILE)] for seat in range(2)]
        for name in pair:
            root = folder / name
            root.mkdir(exist_ok=True)
            with walls.start(python(root, (PROGRAMS / f"{name}.py").read_text()), Limits(memory_mib=64)) as bot:
                try:
                    bot.ask(["go"], TurnLimits(cpu_ms=50))
                except BotFault:
                    continue


def machine_state() -> set[str]:
    """Return what is there of us: descriptors, children, mounts, control groups, temporary files."""
    own = psutil.Process()
    groups = (f"{cgroups.PARENT}/{leftovers.owner()}.*", f"*/{cgroups.PARENT}/{leftovers.owner()}.*", "*/docker/*")
    temporary = Path(tempfile.gettempdir()).glob(f"{leftovers.PREFIX}{leftovers.owner()}.*")
    return {
        *_descriptors(),
        *(f"process {child.pid}" for child in own.children(recursive=True)),
        *(f"mount {line}" for line in Path("/proc/self/mountinfo").read_text().splitlines() if "banzuke" in line),
        *(str(folder) for pattern in groups for folder in cgroups.ROOT.glob(pattern) if folder.is_dir()),
        *map(str, temporary),
    }


def _descriptors() -> set[str]:
    """Return the open descriptors, but for sockets: the engine's client keeps a handful of connections."""
    targets = {}
    for name in os.listdir("/proc/self/fd"):
        with suppress(FileNotFoundError):  # that of the listing itself
            targets[name] = os.readlink(f"/proc/self/fd/{name}")
    return {f"descriptor {name}" for name, target in targets.items() if not target.startswith("socket:")}
