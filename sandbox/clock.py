"""The two clocks of a turn: CPU time, which is charged, and the far wall limit behind it."""

from __future__ import annotations

import os
import time
from typing import NamedTuple

from sandbox.activity import RunDelays
from sandbox.cgroups import Group
from sandbox.machine import busy_ms, busy_since_ms, cores_of, referee_ms

TICK_MS = 50
"""How often the clocks and the memory limit are looked at while something is awaited, at the latest."""

STOOD_MS = 1_000
"""Whoever looks twenty times a second and has not looked for so long was stopped, and perhaps the program with it."""

CORES = os.cpu_count() or 1  # asked once: asking takes as long as a tenth of a turn

BANK_SHARE = 0.1
"""What each turn adds to the bank of overrun, of its own CPU limit."""

ALL = 0
"""Stands for all threads of a group, the dead included: none has this number."""

OTHERS_SHARE = 0.75
"""For such a share of a wait other programs must have had the cores. The rest is what the kernel counts by ticks."""


REST_MS, REST_SHARE = 5_000, 1.0
"""How long a program may rest in all its turns together: so long, and of each turn's CPU limit such a share more."""


class Bank:
    """What a program may use beyond the limits of single turns.

    CPU time, so that one turn that takes a little longer is no sudden death: all overruns together stay within a tenth
    of the sum of its limits so far. And rest, time in which it neither computes nor waits for a core. The attack: bots
    that sleep to the wall limit of every turn, each match as long as a hundred.
    """

    def __init__(self) -> None:
        self.left_ms = 0.0
        self.rest_ms = self.rests_ms = float(REST_MS)
        """What is left of it, and all that there was of it so far."""

    def turn_begins(self, cpu_ms: int) -> None:
        """Add the shares of a turn's limit."""
        self.left_ms += BANK_SHARE * cpu_ms
        self.rest_ms += REST_SHARE * cpu_ms
        self.rests_ms += REST_SHARE * cpu_ms

    def turn_ends(self, cpu_ms: int, used_ms: float, rested_ms: float) -> None:
        """Take out what the turn has used beyond its limit, and how long the program has rested."""
        self.left_ms -= max(0.0, used_ms - cpu_ms)
        self.rest_ms -= max(0.0, rested_ms)


class _Half(NamedTuple):
    """How things stood when half of the wall limit had passed."""

    passed_ms: float
    delays_ms: dict[int, float]
    """Of each thread, how long it had waited for a core."""
    used_ms: float
    referee_ms: float
    busy_ms: dict[int, float]


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
        self._half: _Half | None = None

    def used_ms(self) -> float:
        """Return the CPU time used so far."""
        return self._group.cpu_ms() - self._mark_ms

    def passed_ms(self) -> float:
        """Return the wall time passed so far, without that in which we stood still."""
        self._forgive_standstill()
        return (self._looked - self._begun) * 1e3

    def patience_ms(self) -> int:
        """Return how long nothing can go wrong: until all cores together could have used up the rest, within a tick."""
        left = (self.cpu_ms + self.bank_ms - self.used_ms()) / CORES
        return max(1, min(TICK_MS, int(left)))

    def out_of_cpu(self) -> bool:
        """Tell whether the CPU limit is passed and the bank empty."""
        return self.used_ms() > self.cpu_ms + self.bank_ms

    def out_of_wall(self) -> bool:
        """Tell whether the wall limit has passed. Asked at every tick."""
        passed = self.passed_ms()
        if passed > self.wall_ms / 2:
            delays_ms = self._delays_ms()
            if self._half is None:
                self._half = _Half(passed, delays_ms, self.used_ms(), referee_ms(), busy_ms())
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
        longer than the CPU time all of them use, which is therefore taken off. Another: it keeps the referee busy on
        its core, by filling a pipe on which a million watches hang, or the kernel. So the time of the referee is taken
        off, too, and the cores must have run other programs for most of the wait.
        """
        half = self._half
        if half is None:
            return False
        own_ms = self.used_ms() - half.used_ms + referee_ms() - half.referee_ms
        window_ms = self.passed_ms() - half.passed_ms
        for thread, delay_ms in self._delays_ms().items():
            # No longer than the window: the kernel counts a wait that began before it as a whole when it ends.
            waited_ms = min(delay_ms - half.delays_ms.get(thread, 0.0), window_ms) - own_ms
            if waited_ms > self.wall_ms / 4 and self._others_ms(half, thread, own_ms) > OTHERS_SHARE * waited_ms:
                return True
        return False

    def _others_ms(self, half: _Half, thread: int, own_ms: float) -> float:
        """Return how long other programs have run since then on each core that a thread may use."""
        cores = cores_of(thread)
        return busy_since_ms(half.busy_ms, cores) - own_ms / len(cores)

    def _delays_ms(self) -> dict[int, float]:
        return self._run_delays.look() | {ALL: self._group.run_delay_ms()}
