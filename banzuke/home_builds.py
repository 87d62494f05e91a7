"""Runs the steps of a build on this machine, without a sandbox."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

from sandbox.languages import BUILD_CPU_MS
from sandbox.languages.python import INTERPRETER
from sandbox.process_tree import ProcessTree

_WALL_SECONDS = 2 * BUILD_CPU_MS / 1_000 + 1
"""A build that sleeps may take so long, as in the arena."""
_POLL_SECONDS = 0.2
_SANDBOX_FOLDER = re.compile(r"(?<![\w.])/(bot|out|tmp)(?!\w)")
"""Matches the paths in the commands of languages (``sandbox.languages``) that exist in a sandbox only."""


class BuildTooLong(Exception):  # noqa: N818 - reads as what happened
    """A build used more time than it may; the text says which, for its author."""


def build_run(argv: list[str], folder: Path) -> tuple[int, str]:
    """Run a command of a build in a folder, and return its exit code and output.

    The command gets a process group, which is killed at the end: a shell or make may start compilers, which would run
    on after a build that takes too long or is interrupted.

    Raises:
        FileNotFoundError: there is no such program.
        BuildTooLong: the build used more CPU time, or took longer, than one may; where no kernel tells the CPU time of
            processes, only the latter.
    """
    with subprocess.Popen(  # noqa: S603 - the user's own program on the user's own machine
        argv,
        cwd=folder,
        text=True,
        errors="replace",
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        process_group=0,
    ) as process:
        used, ends = ProcessTree(process.pid, 0), time.monotonic() + _WALL_SECONDS
        try:
            output = None
            while output is None:
                try:
                    output, _ = process.communicate(timeout=_POLL_SECONDS)
                except subprocess.TimeoutExpired:
                    if used.cpu_ms() > BUILD_CPU_MS:
                        raise BuildTooLong(_too_long(BUILD_CPU_MS / 1_000, " of CPU time")) from None
                    if time.monotonic() > ends:
                        raise BuildTooLong(_too_long(_WALL_SECONDS)) from None
        finally:
            with contextlib.suppress(ProcessLookupError):  # all processes have ended by themselves
                os.killpg(process.pid, signal.SIGKILL)
    return process.returncode, output


def _too_long(seconds: float, what: str = "") -> str:
    return f"The build took more than {seconds:g} seconds{what}."


def command_here(argv: tuple[str, ...], places: Mapping[str, Path]) -> list[str]:
    """Translate a command for the sandbox to this machine: other folders, and tools from PATH.

    ``places`` are the folders that take the place of /bot, /out and /tmp, by these names without the slash.

    Bots in Python run by the interpreter of this command, since it has numpy, like that of the arena.
    """
    program, *rest = [_SANDBOX_FOLDER.sub(lambda found: str(places.get(found[1], found[0])), word) for word in argv]
    if program == INTERPRETER:
        return [sys.executable, *rest]
    found = shutil.which(Path(program).name) if program.startswith("/usr/bin/") else None
    return [found or program, *rest]
