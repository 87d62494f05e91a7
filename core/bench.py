"""How fast the games are: repeated measurements of small pieces of work.

A game lists its own cases in ``core/<name>/bench.py`` as ``CASES``; what goes for every game is added here.
"""

from __future__ import annotations

import importlib
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import core
from core.playout import random_answers, replay_answers

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


def cases(name: str) -> list[Case]:
    """Return the cases of a game: its own, and a whole match."""
    own: list[Case] = importlib.import_module(f"core.{name}.bench").CASES
    return [*own, match_case(name)]


def match_case(name: str) -> Case:
    """Return what a match costs besides its bots: rules, referee and records, with the answers of random bots."""
    game = core.game(name)
    table: dict[str, Any] = {"seed": 0, "players": game.players[0], "options": next(iter(game.rulesets.values()))}
    answers = random_answers(game, **table)
    return Case("match", 1, "matches", lambda: lambda: replay_answers(game, answers, **table))


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
