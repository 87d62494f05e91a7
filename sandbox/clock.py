"""The two clocks of a turn: CPU time, which is charged, and a much longer limit of wall time."""

from __future__ import annotations

import os
import time
from typing import NamedTuple

from sandbox.activity import RunDelays
from sandbox.group import Group
from sandbox.machine import busy_ms, busy_since_ms, cores_of, referee_ms

TICK_MS = 50
"""While the worker waits for a program, it checks the clocks and the memory limit at least this often."""

STANDSTILL_MS = 1_000
"""If a clock was not read for this time, this process was stopped, and perhaps the program with it."""

CORES = os.cpu_count() or 1  # a constant, since each call takes as long as a tenth of a turn

BANK_SHARE = 0.1
"""The share of its CPU limit that each turn adds to the bank of overrun."""

ALL = 0
"""In mappings by thread number: the key of all threads of a group together. No thread has this number."""

OTHERS_SHARE = 0.75
"""A wait counts only if other programs used the cores for this share of it; the kernel measures in coarse ticks."""


REST_MS, REST_SHARE = 5_000, 1.0
"""A program may rest for ``REST_MS`` in all its turns together, plus this share of the CPU limit of each turn."""


class Bank:
    """What a program may use beyond the limits of single turns: CPU time, and rest.

    CPU time: all overruns together may reach a tenth of the sum of the limits so far, so that no bot loses for one turn
    that takes a little too long. Rest is time in which the program neither computes nor waits for a core. The attack:
    bots sleep until just before the wall time limit of every turn, so that a match takes as long as a hundred.
    """

    def __init__(self) -> None:
        self.left_ms = 0.0
        self.rest_ms = self.rest_limit_ms = float(REST_MS)
        """How much rest is left, and how much the program was allowed so far."""

    def turn_begins(self, cpu_ms: int) -> None:
        """Add the shares of a turn with this CPU limit."""
        self.left_ms += BANK_SHARE * cpu_ms
        self.rest_ms += REST_SHARE * cpu_ms
        self.rest_limit_ms += REST_SHARE * cpu_ms

    def turn_ends(self, cpu_ms: int, used_ms: float, rested_ms: float) -> None:
        """Subtract what the turn used beyond its CPU limit ``cpu_ms``, and how long the program rested."""
        self.left_ms -= max(0.0, used_ms - cpu_ms)
        self.rest_ms -= max(0.0, rested_ms)


class _HalfTime(NamedTuple):
    """The readings of all clocks when half of the wall time limit had passed."""

    passed_ms: float
    delays_ms: dict[int, float]
    """For each thread, by its number: the milliseconds that it had waited for a core."""
    used_ms: float
    referee_ms: float
    busy_ms: dict[int, float]
    """For each core, by its number: the milliseconds that it had run programs."""


class Clock:
    """The clock of one turn, of a start or of a build step. It starts when it is created.

    Args:
        group: The processes of the program.
        cpu_ms: The limit of CPU time.
        wall_ms: The limit of wall time.
        mark_ms: The group's CPU time from which on CPU time is charged.
        bank_ms: CPU time that may be used beyond the limit.
    """

    def __init__(self, group: Group, cpu_ms: int, wall_ms: int, mark_ms: float, bank_ms: float = 0.0) -> None:
        self._group = group
        self.cpu_ms, self.wall_ms, self.bank_ms = cpu_ms, wall_ms, bank_ms
        self._mark_ms = mark_ms
        self._begun = self._read = time.monotonic()
        self._run_delays = RunDelays(group)
        self._half: _HalfTime | None = None

    def used_ms(self) -> float:
        """Return the CPU time used so far."""
        return self._group.cpu_ms() - self._mark_ms

    def passed_ms(self) -> float:
        """Return the wall time passed so far, without time in which this process stood still.

        It stands still while its machine or container is suspended, or while the worker is stopped.
        """
        now = time.monotonic()
        if (now - self._read) * 1e3 > STANDSTILL_MS:
            self._begun += now - self._read
        self._read = now
        return (now - self._begun) * 1e3

    def patience_ms(self) -> int:
        """Return how long the program cannot break its CPU limit, even on all cores: from 1 to ``TICK_MS``."""
        left = (self.cpu_ms + self.bank_ms - self.used_ms()) / CORES
        return max(1, min(TICK_MS, int(left)))

    def out_of_cpu(self) -> bool:
        """Return whether the program has used more CPU time than its limit and the bank together."""
        return self.used_ms() > self.cpu_ms + self.bank_ms

    def out_of_wall(self) -> bool:
        """Return whether the wall time limit has passed. Call it every ``TICK_MS``: it also takes the half-time."""
        passed = self.passed_ms()
        if passed > self.wall_ms / 2:
            delays_ms = self._delays_ms()
            if self._half is None:
                self._half = _HalfTime(passed, delays_ms, self.used_ms(), referee_ms(), busy_ms())
        return passed > self.wall_ms

    def starved(self) -> bool:
        """Return whether the program broke its wall time limit because other programs used the cores.

        That is so if in the second half of the limit one thread was ready to run without running for half of the time,
        or the group as a whole was: a build may consist of many short processes, none of which waits for long.

        The attack: a bot that is about to lose makes its own threads wait for each other, so that the match is played
        again. Threads can delay each other no longer than the CPU time that all of them use, so that time is
        subtracted. Another: the bot keeps the referee busy on the same core, by filling a pipe that a million file
        watches observe, or keeps the kernel busy. So the referee's own time is subtracted too, and the cores must have
        run other programs for most of the wait.
        """
        half = self._half
        if half is None:
            return False
        own_ms = self.used_ms() - half.used_ms + referee_ms() - half.referee_ms
        window_ms = self.passed_ms() - half.passed_ms
        for thread, delay_ms in self._delays_ms().items():
            # At most the window: a wait that began before half-time is added as a whole when it ends.
            waited_ms = min(delay_ms - half.delays_ms.get(thread, 0.0), window_ms) - own_ms
            if waited_ms > self.wall_ms / 4 and self._others_ms(half, thread, own_ms) > OTHERS_SHARE * waited_ms:
                return True
        return False

    def _others_ms(self, half: _HalfTime, thread: int, own_ms: float) -> float:
        """Return how long other programs ran since half-time on the cores that a thread may use, on average."""
        cores = cores_of(thread)
        return busy_since_ms(half.busy_ms, cores) - own_ms / len(cores)

    def _delays_ms(self) -> dict[int, float]:
        return self._run_delays.read() | {ALL: self._group.run_delay_ms()}
