"""How fast the games are: repeated measurements of small pieces of work.

A game lists its own cases in ``core/<name>/bench.py`` as ``CASES``.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

REPEATS = 7
SECONDS = 0.2
"""How long one repeat lasts at least."""


@dataclass(frozen=True, slots=True)
class Case:
    """One piece of work to measure."""

    name: str
    """What is done, such as ``step 20x20``."""
    batch: int
    """How many boards one call works on."""
    units: str
    """What is counted, such as ``boards`` or ``turns``."""
    prepare: Callable[[], Callable[[], object]]
    """Sets up (not measured) and returns what is measured: one call does ``batch`` units."""


@dataclass(frozen=True, slots=True)
class Measurement:
    """Rates of a case in units a second, one a repeat."""

    case: Case
    rates: tuple[float, ...]

    @property
    def median(self) -> float:
        """The rate to speak of."""
        return statistics.median(self.rates)


def measure(case: Case, *, repeats: int = REPEATS, seconds: float = SECONDS) -> Measurement:
    """Run a case repeatedly, after one call to warm up."""
    work = case.prepare()
    work()
    return Measurement(case, tuple(_rate(case, work, seconds) for _ in range(repeats)))


def _rate(case: Case, work: Callable[[], object], seconds: float) -> float:
    """Return units a second of CPU time, over as many calls as fill the time."""
    calls, start = 0, time.process_time()
    while (spent := time.process_time() - start) < seconds:
        work()
        calls += 1
    return calls * case.batch / spent
