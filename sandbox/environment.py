"""What every program inherits: an environment with nothing of the worker's, and no core dumps."""

from __future__ import annotations

ENVIRONMENT = {
    "PATH": "/usr/bin:/bin",
    "HOME": "/tmp",  # noqa: S108 - the sandbox's own /tmp
    "LANG": "C.UTF-8",
}

CORE_BYTES = 1
"""Limit of core dumps. The attack: at 0 a crash still makes the kernel start the machine's handler, where it has one
(apport, systemd-coredump), as root, outside of all limits, with all the memory of the program to read; and one child
after the other crashes. At 1 the kernel starts none (its fs/coredump.c); the system call filter keeps it there.
"""
