"""The two clocks of a turn: CPU time, which is charged, and the far wall limit behind it."""

from __future__ import annotations

import os
import time

from sandbox.activity import RunDelays
from sandbox.cgroups import Group

TICK_MS = 50
"""How often the clocks and the memory limit are looked at while something is awaited, at the latest."""

STOOD_MS = 1_000
"""Whoever looks twenty times a second and has not looked for so long was stopped, and perhaps the program with it."""

CORES = os.cpu_count() or 1  # asked once: asking takes as long as a tenth of a turn

BANK_SHARE = 0.1
"""What each turn adds to the bank of overrun, of its own CPU limit."""

ALL = 0
"""Stands for all threads of a group, the dead included: none has this number."""


class Bank:
    """CPU time beyond the limits of the turns, so that one turn that takes a little longer is no sudden death.

    All overruns of a program together stay within a tenth of the sum of its limits so far.
    """

    def __init__(self) -> None:
        self.left_ms = 0.0

    def turn_begins(self, cpu_ms: int) -> None:
        """Add the share of a turn's limit."""
        self.left_ms += BANK_SHARE * cpu_ms

    def turn_ends(self, cpu_ms: int, used_ms: float) -> None:
        """Take out what the turn has used beyond its limit."""
        self.left_ms -= max(0.0, used_ms - cpu_ms)


class Clock:
    """Counts from now on.

    ``mark_ms`` is the reading of the group's CPU clock from which the CPU time is charged, ``bank_ms`` what may be used
    beyond the limit.
    """

    def __init__(self, group: Group, cpu_ms: int, wall_ms: int, mark_ms: float, bank_ms: float = 0.0) -> None:
        self._group = group
        self.cpu_ms, self.wall_ms, self.bank_ms = cpu_ms, wall_ms, bank_ms
        self._mark_ms = mark_ms
        self._begun = self._looked = time.monotonic()
        self._run_delays = RunDelays(group)
        self._delays_by_half_ms: dict[int, float] | None = None
        self._used_by_half_ms = 0.0

    def used_ms(self) -> float:
        """Return the CPU time used so far."""
        return self._group.cpu_ms() - self._mark_ms

    def passed_ms(self) -> float:
        """Return the wall time passed so far, without that in which we stood still."""
        return (time.monotonic() - self._begun) * 1e3

    def patience_ms(self) -> int:
        """Return how long nothing can go wrong: until all cores together could have used up the rest, within a tick."""
        left = (self.cpu_ms + self.bank_ms - self.used_ms()) / CORES
        return max(1, min(TICK_MS, int(left)))

    def out_of_cpu(self) -> bool:
        """Tell whether the CPU limit is passed and the bank empty."""
        return self.used_ms() > self.cpu_ms + self.bank_ms

    def out_of_wall(self) -> bool:
        """Tell whether the wall limit has passed. Asked at every tick."""
        self._forgive_standstill()
        passed = self.passed_ms()
        if passed > self.wall_ms / 2:
            delays_ms = self._delays_ms()
            if self._delays_by_half_ms is None:
                self._delays_by_half_ms, self._used_by_half_ms = delays_ms, self.used_ms()
        return passed > self.wall_ms

    def _forgive_standstill(self) -> None:
        """Charge no time in which this process stood: its machine or container was suspended, or a worker stopped."""
        now = time.monotonic()
        if (now - self._looked) * 1e3 > STOOD_MS:
            self._begun += now - self._looked
        self._looked = now

    def starved(self) -> bool:
        """Tell whether the machine, and not the program, let the wall limit pass.

        So it is if in its second half a thread was ready to run, and not run, for half of the time; or one or other of
        them, since a build may be many short processes, none of which waits for long. The attack: a bot that is about
        to lose lets its own threads keep each other waiting, so that the match is played again. They can do so no
        longer than the CPU time all of them use, which is therefore taken off.
        """
        before = self._delays_by_half_ms or {}
        own_ms = self.used_ms() - self._used_by_half_ms
        now = self._delays_ms()
        return any(delay - before.get(thread, 0.0) - own_ms > self.wall_ms / 4 for thread, delay in now.items())

    def _delays_ms(self) -> dict[int, float]:
        return self._run_delays.look() | {ALL: self._group.run_delay_ms()}
