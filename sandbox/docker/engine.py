"""Checks by ``docker info`` whether an engine can run bots."""

from __future__ import annotations

from typing import Any


def refusal(info: dict[str, Any], runtime: str | None) -> str | None:
    """Return why an engine cannot run bots, and what to do about it; None if it can.

    Args:
        info: What the engine answers to ``docker info``.
        runtime: The OCI runtime to use, None for the engine's default.
    """
    if not (info.get("MemoryLimit") and info.get("PidsLimit")):
        return (
            "The Docker engine cannot hold limits of memory and processes: it has no control groups it can write. Run "
            "it as root; rootless it can only on a machine with control groups of version 2 and systemd."
        )
    if not any("name=seccomp" in option for option in info.get("SecurityOptions") or ()):
        return (
            "The Docker engine cannot filter system calls: it or the kernel is built without seccomp. Install the "
            "engine of your distribution (apt-get install docker.io), or set SANDBOX=bubblewrap."
        )
    if runtime and runtime not in (known := info.get("Runtimes") or {}):
        return (
            f"The Docker engine has no runtime {runtime!r}, only: {', '.join(sorted(known))}. Set SANDBOX_RUNTIME to "
            'one of these, or add it to "runtimes" in /etc/docker/daemon.json and restart the engine.'
        )
    return None
