"""Runs a build step (a compiler, a syntax check) to its end. Files that it leaves in /out come back as a tar.

A build step can write to no folder of this machine: /out is a tmpfs of a fixed size. The worker unpacks only regular
files and folders of the tar. The attack: a build leaves a link in /out, so that a site which serves the build's output
reads the file that the link points to.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

from core.message import Message, stored
from core.tars import BadTar
from sandbox.api import BotFault, Limits, PlatformFault, Program, RunResult, Verdict
from sandbox.cgroups import MIB
from sandbox.process import BoxedProcess
from sandbox.tars import unpack

SCRIPT = """
"$@" 1>&2
code=$?
if [ -d /out ]; then tar --create --file=- --hard-dereference --directory=/out . ; fi
exit $code
"""
"""Runs the step. All that it prints goes to standard error, since standard output carries the tar."""
TAR_OVERHEAD = 2
"""Largest ratio of a tar's size to the size of /out: a tar adds headers to many small files."""


Start = Callable[[Program, Limits, bool], BoxedProcess]
"""The function of a backend that starts a program, with a writable /out if the last argument is true."""


def run_step(start: Start, program: Program, limits: Limits, cpu_ms: int, out: Path | None) -> RunResult:
    """Run a program to its end; see ``sandbox.api.Sandbox.run``."""
    wrapped = Program(program.root, ("/bin/sh", "-c", SCRIPT, "sh", *program.argv))
    with tempfile.TemporaryFile() as archive, start(wrapped, limits, out is not None) as process:
        size = limits.out_mib * MIB * TAR_OVERHEAD

        def take(data: bytes) -> None:
            if archive.tell() + len(data) > size:
                raise BotFault(Verdict.OUTPUT, Message("build-step-output"))
            archive.write(data)

        code = process.finish(cpu_ms, take)
        result = RunResult(code, process.stderr(), process.usage())
        if out is not None and code == 0:
            archive.seek(0)
            try:
                unpack(archive.read(), out)
            except BadTar as error:
                raise BotFault(Verdict.OUTPUT, Message("build-step-left", {"why": stored(error.why)})) from error
            except OSError as error:
                raise PlatformFault(f"What a step left cannot be written to this machine's disk: {error}") from error
    return result
