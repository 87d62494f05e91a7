"""A quick check that the sandbox of this machine isolates programs, for workers and administrators.

Each probe is a small program that tries to break out of one limit, with the line that it must answer or the verdict
that it must get. Where two protections work together (no network, and no system call to reach one), two probes check
each of them. ``sandbox.toolchains`` checks which languages work. The tests hold the full collection of attacks; this
module needs nothing but the sandbox.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from sandbox.api import BotFault, Limits, PlatformFault, Program, Sandbox, TurnLimits, Verdict
from sandbox.languages.python import INTERPRETER

SECRET = "BANZUKE_SELFTEST_SECRET"  # noqa: S105 - a marker, not a password
LIMITS = Limits(memory_mib=64)
CPU_MS = 500
TRIES = 3
HELD = "held"


@dataclass(frozen=True, slots=True)
class Probe:
    """A promise of the sandbox, a Python program that tries to break it, and the outcome that proves the promise."""

    promise: str
    source: str
    expected: Verdict | str = HELD
    cpu_ms: int = CPU_MS


PROBES = (
    # The program must use up its CPU time before the wall time limit, which a busy machine allows only for little.
    Probe("a bot cannot use more CPU time than its turn has", "while True: pass", Verdict.TIME, cpu_ms=50),
    Probe("a bot cannot use more memory than its limit", "x = bytearray(512 << 20)", Verdict.MEMORY),
    Probe("a forbidden system call ends a bot", "import ctypes; ctypes.CDLL(None).unshare(0)", Verdict.SECURITY),
    Probe("a bot cannot flood its output", "while True: print(end='x' * 60_000)", Verdict.OUTPUT),
    Probe(
        "a bot cannot start processes without limit",
        f"""
import os, time
try:
    for n in range({LIMITS.pids_max} + 9):
        if os.fork() == 0: time.sleep(99)
    print("no limit")
except OSError:
    print("held")
""",
    ),
    Probe(
        "a bot cannot open a socket to a network",
        """
import socket
try:
    socket.socket(socket.AF_INET); print("network")
except OSError:
    print("held")
""",
    ),
    Probe(
        "a bot is in a network of its own",
        """
devices = [line.split(":")[0].strip() for line in open("/proc/net/dev").readlines()[2:]]
print("held" if devices in ([], ["lo"]) and not open("/proc/net/unix").readlines()[1:] else devices)
""",
    ),
    Probe(
        "a bot sees no process but its own",
        """
import os
others = sum(name.isdigit() for name in os.listdir("/proc"))
print("held" if others <= 4 else others)
""",
    ),
    Probe(
        "a bot cannot change the process that keeps it (with Docker, build the image of bots again)",
        """
try:
    open("/proc/1/mem", "r+b", 0); print("open")
except OSError:
    print("held")
""",
    ),
    Probe(
        "a bot can write nowhere but in /tmp",
        """
import os
open("/tmp/mine", "w").close()
got = [place for place in ("/", "/bot", "/usr", "/etc") if not os.statvfs(place).f_flag & os.ST_RDONLY]
for place in ("/bot", "/usr", "", "/etc", "/dev"):
    try: open(place + "/x", "w").close(); got.append(place)
    except OSError: pass
print(got or "held")
""",
    ),
    Probe(
        "a bot finds nothing mounted that it can write but /tmp and /dev/shm",
        # A container runtime may mount more than it is told to: crun 1.8 leaves /sys/fs/cgroup of version 1 writable.
        """
got = set()
for line in open("/proc/self/mounts"):
    place = line.split()[1]
    try: open(place + "/x", "w").close(); got.add(place)
    except OSError: pass
print(sorted(got - {"/tmp", "/dev/shm"}) or "held")
""",
    ),
    Probe(
        "a bot can fill only a small /tmp",
        f"""
import os
size = os.statvfs("/tmp")
print("held" if size.f_blocks * size.f_frsize <= {LIMITS.tmp_mib} << 20 else "large")
""",
    ),
    Probe(
        "a bot can write only small files and open only few",
        f"""
from resource import *
wanted = {{RLIMIT_FSIZE: {LIMITS.file_mib} << 20, RLIMIT_NOFILE: {LIMITS.open_files_max}, RLIMIT_CORE: 1}}
print([what for what, limit in wanted.items() if not 0 <= getrlimit(what)[1] <= limit] or "held")
""",
    ),
    Probe(
        "a bot has no rights and gets none",
        """
import os
status = dict(line.split(":", 1) for line in open("/proc/self/status"))
wanted = {"CapEff": 0, "CapPrm": 0, "CapBnd": 0, "NoNewPrivs": 1}
print([name for name, value in wanted.items() if int(status[name], 16) != value] or "held" if os.getuid() else "root")
""",
    ),
    Probe(
        "a bot cannot read the worker's environment",
        f"""
import glob
got = "held"
for place in glob.glob("/proc/[0-9]*/environ"):
    try: got = "read" if b"{SECRET}" in open(place, "rb").read() else got
    except OSError: pass
print(got)
""",
    ),
    Probe(
        "a bot cannot read the worker's files",
        f"""
import os
print("read" if os.path.exists({__file__!r}) else "held")
""",
    ),
)


def failures(sandbox: Sandbox) -> Iterator[str]:
    """Run every probe; yield a sentence for each promise that the sandbox does not keep.

    Raises:
        PlatformFault: the sandbox itself failed.
    """
    os.environ[SECRET] = SECRET
    try:
        for probe in PROBES:
            got = _outcome(sandbox, f"input()\n{probe.source}\n", TurnLimits(probe.cpu_ms))
            if got != probe.expected:
                yield f"This check fails: {probe.promise} (expected {probe.expected}, got {got})."
    finally:
        del os.environ[SECRET]


def _outcome(sandbox: Sandbox, source: str, turn: TurnLimits) -> str:
    for _ in range(TRIES - 1):
        with suppress(PlatformFault):  # the machine may be too busy for a moment
            return _outcome_once(sandbox, source, turn)
    return _outcome_once(sandbox, source, turn)


def _outcome_once(sandbox: Sandbox, source: str, turn: TurnLimits) -> str:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "main.py").write_text(source, encoding="utf-8")
        try:
            with sandbox.start(Program(Path(folder), (INTERPRETER, "-u", "main.py")), LIMITS) as process:
                return process.ask(["go"], turn).lines[0]
        except BotFault as fault:
            by_wall_clock = fault.verdict == Verdict.TIME and fault.evidence.cpu_ms < turn.cpu_ms
            return "ended by the wall time limit alone" if by_wall_clock else fault.verdict
