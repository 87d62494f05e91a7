"""A second kernel on this machine, whose control groups are of version 2 alone, whatever those of this machine are.

User Mode Linux is a kernel that runs as a process (Debian: ``user-mode-linux``). It has one core, shows this machine's
files read-only, and counts CPU time by ticks of 10 ms; system calls and fresh memory cost it ten times what they cost
elsewhere, which ``slow_kernel`` makes up for.
"""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

KERNEL = "linux.uml"
MEMORY_MIB = 2_048
INIT = Path(__file__).with_name("init.sh")
PROJECT = INIT.parents[2]
MISSING = "needs a kernel to be started, as root: apt-get install user-mode-linux iproute2"


def missing() -> bool:
    """Tell whether no such kernel can be started here."""
    return os.geteuid() != 0 or shutil.which(KERNEL) is None


def tests_run(arguments: Sequence[str], seconds: float) -> tuple[int, str]:
    """Run pytest in a kernel of its own, from the project's root; return its exit status and what it wrote.

    Raises:
        RuntimeError: the kernel did not come as far as to run anything.
        subprocess.TimeoutExpired: after so many seconds it had not ended.
    """
    # Schemathesis and all that it imports would take seconds to load here, and plays no part.
    plugins = ("-p", "no:cacheprovider", "-p", "no:schemathesis", "-p", "tests.unified.slow_kernel")
    pytest = [sys.executable, "-m", "pytest", *plugins, *arguments]
    return _run(f"cd {shlex.quote(str(PROJECT))} && PYTHONDONTWRITEBYTECODE=1 {shlex.join(pytest)}", seconds)


def _run(command: str, seconds: float) -> tuple[int, str]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "command").write_text(command)
        log = _boot(folder, seconds)
        if not (folder / "status").exists():
            raise RuntimeError(f"User Mode Linux ran nothing: {log}")
        return int((folder / "status").read_text()), (folder / "output").read_text()


def _boot(folder: Path, seconds: float) -> str:
    root = ("rootfstype=hostfs", "rootflags=/", "ro", f"init={INIT}", f"PROJECT={PROJECT}", f"FOLDER={folder}")
    machine = (f"mem={MEMORY_MIB}M", "con=null", "con0=null", f"uml_dir={folder}", f"umid={folder.name}")
    with subprocess.Popen(
        [KERNEL, *machine, *root],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        # Its memory is a file there, that it runs code from: /tmp may not allow that.
        env={**os.environ, "TMPDIR": "/dev/shm"},  # noqa: S108 - the kernel makes the file by itself, and unlinks it
        start_new_session=True,
    ) as kernel:
        try:
            return kernel.communicate(timeout=seconds)[0]
        finally:
            _end(kernel)


def _end(kernel: subprocess.Popen[str]) -> None:
    """End what is left of it: each of its processes is one of this machine, too, and not all are its children."""
    with suppress(ProcessLookupError):  # it ended by itself
        os.killpg(kernel.pid, signal.SIGKILL)
