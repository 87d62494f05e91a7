"""A plugin of pytest for the tests that run in the second kernel: all limits of time are as much wider as it is slower.

The clocks themselves stay as they are, and what tests read from them.
"""

from __future__ import annotations

from sandbox import process
from sandbox.api import TurnLimits
from sandbox.cgroups import Group
from sandbox.clock import Bank, Clock
from tests.attacks import test_attacks, test_builds

TIMES_SLOWER = 16
"""CPU time of what is mostly system calls and fresh memory, beside what it is elsewhere; no more than about so much."""
TIMES_LATER = 4
"""The same of wall time, in which waiting counts, too."""


class _WideClock(Clock):
    def __init__(self, group: Group, cpu_ms: int, wall_ms: int, mark_ms: float, bank_ms: float = 0.0) -> None:
        super().__init__(group, TIMES_SLOWER * cpu_ms, wall_ms, mark_ms, bank_ms)


class _WideBank(Bank):
    def turn_ends(self, cpu_ms: int, used_ms: float, rested_ms: float) -> None:
        super().turn_ends(TIMES_SLOWER * cpu_ms, used_ms, rested_ms / TIMES_LATER)


_wall_ms = TurnLimits.wall_ms.fget
TurnLimits.wall_ms = property(lambda limits: TIMES_LATER * _wall_ms(limits))
process.STEP_WALL_FACTOR *= TIMES_SLOWER  # what a build's step waits for is its own computing
process.Clock = _WideClock
process.Bank = _WideBank
test_attacks.GRACE_S *= TIMES_LATER
test_builds.GRACE_S *= TIMES_SLOWER
