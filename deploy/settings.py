"""The settings of ``make run``, and the error that keeps an arena from starting."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
"""The repository's folder."""
BROKER_MEMORY_MIB = 512
"""The memory limit of the broker: 8 MiB for the live frames of each of 64 playing processes."""
BROKER_MEMORY_MIB_MIN = 64
"""Least memory of the broker: with less, a few messages would fill it."""

TABLES = 8
"""Each table costs the memory of its bots, and no core while they wait for their opponent."""
TABLES_MAX = 200
CORES_PER_MANAGER = 8
"""A manager records some hundred matches a second, and computes ratings meanwhile."""
MANAGERS_MAX = 32


class CannotStart(Exception):  # noqa: N818 - an answer to the user, not an error of ours
    """The arena cannot start; the text is a sentence that says why and what to do."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of one start, from variables on the command line of ``make run``."""

    data: Path
    """The folder with all data of the arena."""
    port: int
    """The port of the site, on the loopback interface only."""
    sandbox: str
    """``docker``, ``bubblewrap`` or ``auto``."""
    broker_memory_mib: int = BROKER_MEMORY_MIB
    """The memory limit of the broker."""
    tables: int = TABLES
    """How many tables, at which people play against bots, may be open at once; 0: none."""
    managers: int = 1
    """How many managers record what workers report."""

    @property
    def url(self) -> str:
        """The URL of the site."""
        return f"http://localhost:{self.port}"


def settings_read(env: Mapping[str, str] = os.environ) -> Settings:
    """Read the settings from the environment; an empty value means the default.

    Raises:
        CannotStart: the port, the broker's memory, the number of tables or that of managers is invalid.
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
    tables = env.get("TABLES") or str(TABLES)
    if not (tables.isdecimal() and int(tables) <= TABLES_MAX):
        raise CannotStart(
            f"TABLES={tables} is no number of tables; give one from 0, which means none, to {TABLES_MAX}."
        )
    managers = env.get("MANAGERS") or str(math.ceil(len(os.sched_getaffinity(0)) / CORES_PER_MANAGER))
    if not (managers.isdecimal() and 0 < int(managers) <= MANAGERS_MAX):
        raise CannotStart(f"MANAGERS={managers} is no number of managers; give one from 1 to {MANAGERS_MAX}.")
    data = Path(env.get("DATA") or ROOT / "data").resolve()
    return Settings(data, int(port), env.get("SANDBOX") or "auto", int(memory_mib), int(tables), int(managers))
