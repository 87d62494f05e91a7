"""Runs one untrusted program in a sandbox. Of our other packages it imports only ``core.tars`` and ``core.message``.

``backend(name)`` returns a sandbox backend (Docker or bubblewrap); ``api`` defines its interface; ``languages`` knows
how an uploaded bundle is built and started. The package has no way to run a program without a sandbox.
"""

from __future__ import annotations

import logging

from sandbox import cgroups
from sandbox.api import NoSandbox, Sandbox
from sandbox.descriptors import raise_descriptor_limit

NAMES = ("auto", "docker", "bubblewrap")

log = logging.getLogger(__name__)


def backend(name: str = "auto", *, ahead: int = 0) -> Sandbox:
    """Return a backend that works on this machine.

    Args:
        name: ``docker``, ``bubblewrap``, or ``auto``: Docker if an engine answers and holds the runtime image, else
            bubblewrap.
        ahead: How many containers to start in advance (Docker only).

    Raises:
        NoSandbox: the backend does not work on this machine; the sentence says what to install.
    """
    raise_descriptor_limit()
    if name == "docker":
        from sandbox.docker import Docker

        return Docker(ahead)
    if name == "bubblewrap":
        from sandbox.bubblewrap import Bubblewrap

        return Bubblewrap()
    if name == "auto":
        reasons = []
        for wanted in ("docker", "bubblewrap"):
            try:
                return backend(wanted, ahead=ahead)
            except NoSandbox as reason:
                log.info("The %s backend is not used: %s", wanted, reason)
                reasons.append(str(reason))
        raise NoSandbox(f"No sandbox works on this machine, and bots are never run without one. {' '.join(reasons)}")
    raise NoSandbox(f"There is no sandbox backend {name!r}. Set SANDBOX to one of: {', '.join(NAMES)}.")


def sweep(name: str = "auto") -> None:
    """Remove containers, control groups and folders of killed workers. Call it after the last worker has ended.

    Raises:
        NoSandbox: the backend does not work on this machine.
    """
    backend(name)  # every backend removes its own leftovers when it is created
    cgroups.remove_parents()
