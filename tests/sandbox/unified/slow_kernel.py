"""A pytest plugin for tests in the second kernel: it widens all time limits, since that kernel is slower.

It does not change the clocks, nor the times that tests read from them.
"""

from __future__ import annotations

from sandbox import process
from sandbox.api import TurnLimits
from sandbox.cgroups import Group
from sandbox.clock import Bank, Clock
from tests.attacks import test_attacks, test_builds

TIMES_SLOWER = 16
"""How many times as much CPU time programs with many system calls and new memory take, at most."""
TIMES_LATER = 4
"""How many times as much wall time they take, which includes waiting."""


class _WideClock(Clock):
    def __init__(self, group: Group, cpu_ms: int, wall_ms: int, mark_ms: float, bank_ms: float = 0.0) -> None:
        super().__init__(group, TIMES_SLOWER * cpu_ms, wall_ms, mark_ms, bank_ms)


class _WideBank(Bank):
    def turn_ends(self, cpu_ms: int, used_ms: float, rested_ms: float) -> None:
        super().turn_ends(TIMES_SLOWER * cpu_ms, used_ms, rested_ms / TIMES_LATER)


_wall_ms = TurnLimits.wall_ms.fget
TurnLimits.wall_ms = property(lambda limits: TIMES_LATER * _wall_ms(limits))
process.STEP_REST_MS *= TIMES_SLOWER
process.STEP_WALL_FACTOR *= TIMES_SLOWER  # a build step does not wait, so its wall time grows like its CPU time
process.Clock = _WideClock
process.Bank = _WideBank
test_attacks.GRACE_S *= TIMES_LATER
test_builds.GRACE_S *= TIMES_SLOWER
