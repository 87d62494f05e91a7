"""What one start of the arena is told, and the sentence it ends with when it cannot start."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
"""The repository's folder."""
BROKER_MEMORY_MIB = 512
"""What the broker may fill: 8 MiB, for what is shown live, for each of 64 playing processes."""
BROKER_MEMORY_MIB_MIN = 64
"""Less would be full of a few messages."""


class CannotStart(Exception):  # noqa: N818 - it is no error of ours, it is an answer to the person at the terminal
    """Why the arena does not start, in one sentence that says what to do."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What can be said on the command line of ``make run``."""

    data: Path
    """The folder that holds everything the arena keeps."""
    port: int
    """Where the site listens, on the loopback interface only."""
    sandbox: str
    """``docker``, ``bubblewrap`` or ``auto``."""
    broker_memory_mib: int = BROKER_MEMORY_MIB
    """What the broker may fill."""

    @property
    def url(self) -> str:
        """The address of the site."""
        return f"http://localhost:{self.port}"


def settings_read(env: Mapping[str, str] = os.environ) -> Settings:
    """Read the settings from the environment; an empty value means the default.

    Raises:
        CannotStart: the port is no port, or the broker's memory no number or too small.
    """
    port = env.get("PORT") or "8000"
    if not (port.isdecimal() and 0 < int(port) < 65536):
        raise CannotStart(f"PORT={port} is no port; give a number between 1 and 65535.")
    memory_mib = env.get("BROKER_MEMORY_MIB") or str(BROKER_MEMORY_MIB)
    if not (memory_mib.isdecimal() and int(memory_mib) >= BROKER_MEMORY_MIB_MIN):
        raise CannotStart(
            f"BROKER_MEMORY_MIB={memory_mib} is no size for the broker's memory; give a number of MiB, at least"
            f" {BROKER_MEMORY_MIB_MIN}."
        )
    data = Path(env.get("DATA") or ROOT / "data").resolve()
    return Settings(data, int(port), env.get("SANDBOX") or "auto", int(memory_mib))
