"""How fast the games are: repeated measurements of small pieces of work, and how often plain Python's speed that is.

A game lists its own cases in ``games/<name>/bench.py`` as ``CASES``; what goes for every game is added here. Where a
case has a reference in plain Python (``plain``), both are measured by turns in the same process: machines differ and
share their cores, so the ratio tells more than the rate.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial, reduce
from typing import Any, Literal

from core.game import Game, StateT
from core.playout import play_turn, random_answers, replay_answers
from games.registry import game_named, game_part

REPEATS = 7
SECONDS = 0.2
"""How long one repeat lasts at least."""


Prepare = Callable[[], Callable[[], object]]
"""Sets up (not measured) and returns what is measured."""


@dataclass(frozen=True, slots=True)
class Case:
    """One piece of work to measure."""

    name: str
    """What is done, such as ``step 20x20``."""
    batch: int
    """How many units one call does, mostly one on each of so many boards."""
    units: str
    """What is counted, such as ``boards`` or ``turns``."""
    prepare: Prepare
    """One call does ``batch`` units."""
    key: str = ""
    """Its lasting name, as in ``bench --json``; empty: it stands in the table only."""
    timed: Literal["", "us", "ms"] = ""
    """Tell how long one unit takes, in this unit of time, rather than units a second."""
    plain: Prepare | None = None
    """The same work in plain Python (no numpy), written for clarity; one call does ``plain_batch`` units."""
    plain_batch: float = 1
    """A fraction where a whole unit would take seconds."""


@dataclass(frozen=True, slots=True)
class Measurement:
    """Rates of a case in units a second of CPU time, one a repeat."""

    case: Case
    rates: tuple[float, ...]
    plain_rates: tuple[float, ...]
    """Of the plain reference; empty where there is none."""

    @property
    def values(self) -> tuple[float, ...]:
        """What each repeat gave, in ``unit``."""
        scale = {"us": 1e6, "ms": 1e3}.get(self.case.timed)
        return tuple(scale / rate for rate in self.rates) if scale else self.rates

    @property
    def value(self) -> float:
        """The number to speak of, in ``unit``: the median of the repeats."""
        return statistics.median(self.values)

    @property
    def unit(self) -> str:
        """Such as ``boards/s`` or ``us``."""
        return self.case.timed or f"{self.case.units}/s"

    @property
    def times_plain_python(self) -> float | None:
        """How many times as fast as the plain reference, if there is one."""
        return statistics.median(self.rates) / statistics.median(self.plain_rates) if self.plain_rates else None


def cases(name: str) -> list[Case]:
    """Return the cases of a game: its own, a step of a single board, and a whole match."""
    bench = game_part(name, "bench")
    own: list[Case] = bench.CASES
    return [*own, step_case(name, getattr(bench, "PLAIN_STEP", None)), match_case(name)]


def step_case(name: str, plain: Prepare | None) -> Case:
    """Return what a turn of a single board costs: every question, every answer and the step.

    Args:
        name: of the game.
        plain: the game's ``PLAIN_STEP``: like ``Case.plain``, one call plays one turn of one board, if the reference
            knows them with the lines.
    """
    game, table = game_named(name), _table(name)
    answers = random_answers(game, **table)

    def prepare() -> Callable[[], object]:
        first = game.reset([table["seed"]], table["players"], table["options"])
        return lambda: reduce(partial(_ask_and_play, game), answers, first)

    return Case("step of one board", len(answers), "turns", prepare, f"step_{name}", "us", plain)


def _ask_and_play(game: Game[StateT], state: StateT, answers: dict[int, list[str]]) -> StateT:
    for seat in answers:
        game.observe(state, 0, seat)
    return play_turn(game, state, answers)


def match_case(name: str) -> Case:
    """Return what a match costs besides its bots: rules, referee and records, with the answers of random bots."""
    game, table = game_named(name), _table(name)
    answers = random_answers(game, **table)
    return Case("match", 1, "matches", lambda: lambda: replay_answers(game, answers, **table))


def _table(name: str) -> dict[str, Any]:
    """Return seed, players and options of the match that is measured."""
    game = game_named(name)
    return {"seed": 0, "players": game.players[0], "options": next(iter(game.rulesets.values()))}


def measure(case: Case, *, repeats: int = REPEATS, seconds: float = SECONDS) -> Measurement:
    """Run a case and its plain reference by turns, each after one call to warm up."""
    work, plain = case.prepare(), case.plain and case.plain()
    work()
    if plain:
        plain()
    rates, plain_rates = [], []
    for _ in range(repeats):
        rates.append(case.batch * _rate(work, seconds))
        if plain:
            plain_rates.append(case.plain_batch * _rate(plain, seconds))
    return Measurement(case, tuple(rates), tuple(plain_rates))


def _rate(work: Callable[[], object], seconds: float) -> float:
    """Return calls a second of CPU time, over as many as fill the time."""
    calls, start = 0, time.process_time()
    while (spent := time.process_time() - start) < seconds or not calls:
        work()
        calls += 1
    return calls / spent
