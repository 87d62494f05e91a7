"""What every program in a sandbox inherits: an environment without the worker's variables, and no core dumps."""

from __future__ import annotations

ENVIRONMENT = {
    "PATH": "/usr/bin:/bin",
    "HOME": "/tmp",  # noqa: S108 - the sandbox's own /tmp
    "LANG": "C.UTF-8",
}

CORE_BYTES = 1
"""Limit of core dumps (bytes). With 0 the kernel still starts the machine's handler (apport, systemd-coredump) for each
crash, as root and outside of all limits, to read all memory of the program. The attack: a bot lets one child process
after the other crash. With 1 the kernel starts no handler (its fs/coredump.c), and the system call filter keeps
programs from changing the limit.
"""
