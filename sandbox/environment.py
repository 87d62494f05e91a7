"""What every program inherits: an environment with nothing of the worker's, and no core dumps."""

from __future__ import annotations

ENVIRONMENT = {
    "PATH": "/usr/bin:/bin",
    "HOME": "/tmp",  # noqa: S108 - the sandbox's own /tmp
    "LANG": "C.UTF-8",
}

CORE_BYTES = 1
"""Limit of core dumps. At 0 a crash still makes the kernel start the machine's handler, where it has one (apport,
systemd-coredump): as root, outside of all limits, with all the memory of the program to read. The attack: a bot lets
one child after the other crash. At 1 the kernel starts no handler (its fs/coredump.c); the system call filter keeps it
there.
"""
