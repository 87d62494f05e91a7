"""Runs one untrusted program inside walls. Imports nothing of ours but the reader of tars (``core.tars``).

``backend(name)`` chooses how the walls are built; ``api`` tells what they promise; ``languages`` how a bundle is
checked and started. There is no way to run a program without walls.
"""

from __future__ import annotations

import logging

from sandbox import cgroups
from sandbox.api import NoSandbox, Sandbox
from sandbox.descriptors import many_allowed

NAMES = ("auto", "docker", "bubblewrap")

log = logging.getLogger(__name__)


def backend(name: str = "auto", *, ahead: int = 0) -> Sandbox:
    """Return a backend that works on this machine.

    Args:
        name: ``docker``, ``bubblewrap``, or ``auto``: Docker if an engine answers and holds the runtime image, else
            bubblewrap.
        ahead: How many containers wait started for the programs to come (Docker only).

    Raises:
        NoSandbox: it does not work here; the sentence tells what to install.
    """
    many_allowed()
    if name == "docker":
        from sandbox.docker import Docker

        return Docker(ahead)
    if name == "bubblewrap":
        from sandbox.bubblewrap import Bubblewrap

        return Bubblewrap()
    if name == "auto":
        return _best(ahead)
    raise NoSandbox(f"There is no sandbox backend {name!r}. Set SANDBOX to one of: {', '.join(NAMES)}.")


def sweep(name: str = "auto") -> None:
    """Remove whatever killed workers have left behind on this machine. For when the last worker has ended.

    Raises:
        NoSandbox: as ``backend``.
    """
    backend(name)  # making one sweeps its own leftovers
    cgroups.remove_parents()


def _best(ahead: int) -> Sandbox:
    reasons = []
    for name in ("docker", "bubblewrap"):
        try:
            return backend(name, ahead=ahead)
        except NoSandbox as reason:
            log.info("The %s backend is not used: %s", name, reason)
            reasons.append(str(reason))
    raise NoSandbox(f"No sandbox works on this machine, and bots are never run without one. {' '.join(reasons)}")
