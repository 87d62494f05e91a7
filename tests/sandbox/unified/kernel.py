"""Runs tests in a second kernel on this machine, which has control groups of version 2 only.

User Mode Linux is a kernel that runs as a process (Debian: ``user-mode-linux``). It has one core, shows this machine's
files read-only, and counts CPU time in ticks of 10 ms. System calls and new memory take ten times as long as elsewhere,
so ``slow_kernel`` widens the limits.
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
PROJECT = INIT.parents[3]


def missing() -> str:
    """Return why such a kernel cannot be started on this machine, in a sentence; empty if it can."""
    if os.geteuid() != 0 or shutil.which(KERNEL) is None:
        return "needs a kernel to be started, as root: apt-get install user-mode-linux iproute2"
    version = subprocess.run([KERNEL, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    if version.startswith("6.1.") and "amx_tile" in Path("/proc/cpuinfo").read_text():
        return f"User Mode Linux {version} cannot restore the registers of processors with AMX, as this one"
    return ""


def tests_run(arguments: Sequence[str], seconds: float) -> tuple[int, str]:
    """Run pytest in a new kernel, in the root folder of the repository; return its exit status and output.

    Raises:
        RuntimeError: the kernel ended before it ran pytest.
        subprocess.TimeoutExpired: the kernel did not end in time.
    """
    # Loading Schemathesis would take seconds here, and these tests do not need it.
    plugins = ("-p", "no:cacheprovider", "-p", "no:schemathesis", "-p", "tests.sandbox.unified.slow_kernel")
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
        # The kernel's memory is an executable file there, which a /tmp mounted noexec forbids.
        env={**os.environ, "TMPDIR": "/dev/shm"},  # noqa: S108 - the kernel makes the file by itself, and unlinks it
        start_new_session=True,
    ) as kernel:
        try:
            return kernel.communicate(timeout=seconds)[0]
        finally:
            _end(kernel)


def _end(kernel: subprocess.Popen[str]) -> None:
    """Kill the kernel's process group: its processes are this machine's, and not all are children of the first."""
    with suppress(ProcessLookupError):  # the kernel has ended by itself
        os.killpg(kernel.pid, signal.SIGKILL)
