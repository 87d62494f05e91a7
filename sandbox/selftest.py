"""A quick check that the walls of this machine stand: what a worker and an administrator may want to know before play.

Each probe is a small program with the line it must answer, or the verdict it must get. (Which languages work here is
``sandbox.toolchains``'s to find out.) The whole collection of hostile
programs is part of the tests; this is its short form, without anything but the sandbox.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sandbox.api import BotFault, Limits, Program, Sandbox, TurnLimits, Verdict
from sandbox.languages.python import INTERPRETER

SECRET = "BANZUKE_SELFTEST_SECRET"  # noqa: S105 - a marker, not a password
LIMITS = Limits(memory_mib=64)
TURN = TurnLimits(cpu_ms=500)


@dataclass(frozen=True, slots=True)
class Probe:
    """One wall, the Python source that pushes against it, and what must come of it."""

    wall: str
    source: str
    expected: Verdict | str


PROBES = (
    Probe("a bot cannot use more CPU time than its turn has", "while True: pass", Verdict.TIME),
    Probe("a bot cannot use more memory than its limit", "x = bytearray(512 << 20)", Verdict.MEMORY),
    Probe("a forbidden system call ends a bot", "import ctypes; ctypes.CDLL(None).unshare(0)", Verdict.SECURITY),
    Probe("a bot cannot flood its output", "while True: print(end='x' * 60_000)", Verdict.OUTPUT),
    Probe(
        "a bot cannot start processes without limit",
        """
import os, time
try:
    for n in range(999):
        if os.fork() == 0: time.sleep(99)
    print("no limit")
except OSError:
    print("held")
""",
        "held",
    ),
    Probe(
        "a bot has no network",
        """
import socket
try:
    socket.socket(socket.AF_INET); print("network")
except OSError:
    print("held")
""",
        "held",
    ),
    Probe(
        "a bot can write nowhere but in /tmp",
        """
import os
open("/tmp/mine", "w").close()
held = 0
for place in ("/bot/x", "/usr/x", "/x", "/etc/x", "/dev/x"):
    try: open(place, "w").close()
    except OSError: held += 1
print("held" if held == 5 else "written")
""",
        "held",
    ),
    Probe(
        "a bot cannot read the worker's environment",
        f"""
import glob
print("read" if any(b"{SECRET}" in open(p, "rb").read() for p in glob.glob("/proc/[0-9]*/environ")) else "held")
""",
        "held",
    ),
)


def failures(sandbox: Sandbox) -> Iterator[str]:
    """Try every wall; yield a sentence for each that does not hold.

    Raises:
        PlatformFault: the sandbox itself failed.
    """
    os.environ[SECRET] = SECRET
    try:
        for probe in PROBES:
            got = _outcome(sandbox, f"input()\n{probe.source}\n")
            if got != probe.expected:
                yield f"This wall is missing: {probe.wall} (expected {probe.expected}, got {got})."
    finally:
        del os.environ[SECRET]


def _outcome(sandbox: Sandbox, source: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "main.py").write_text(source, encoding="utf-8")
        try:
            with sandbox.start(Program(Path(folder), (INTERPRETER, "-u", "main.py")), LIMITS) as process:
                return process.ask(["go"], TURN).lines[0]
        except BotFault as fault:
            return fault.verdict
