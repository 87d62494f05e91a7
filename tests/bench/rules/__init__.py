"""Measures how fast the games are, and how many times as fast as the same work in plain Python.

The cases of a game stand in the module with its name in this folder, as ``CASES``; ``cases`` adds those that every game
has. If a
case has a reference in plain Python (``plain``), both are measured alternately in the same process: machines differ and
share their cores, so the ratio tells more than the rate.
"""

from __future__ import annotations

import importlib
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial, reduce
from importlib.util import find_spec
from typing import Any, Literal

import numpy as np

from core.game import Game, StateT
from core.playout import play_turn, random_answers, random_choices, replay_answers
from games.registry import game_named

REPEATS = 7
SECONDS = 0.2
"""The shortest duration of one repeat."""


Prepare = Callable[[], Callable[[], object]]
"""Prepares a measurement (the time for this is not counted) and returns the function that is measured."""


@dataclass(frozen=True, slots=True)
class Case:
    """One piece of work to measure."""

    name: str
    """The work, such as ``step 20x20``."""
    batch: int
    """Number of units of work that one call does, such as one on each of this many boards."""
    units: str
    """The name of the units, such as ``boards`` or ``turns``."""
    prepare: Prepare
    """Returns a function that does ``batch`` units of work."""
    key: str = ""
    """The permanent name in ``bench --json``; empty: the case is shown in the table only."""
    timed: Literal["", "us", "ms"] = ""
    """Report the time of one unit of work, in this unit of time, instead of units a second."""
    plain: Prepare | None = None
    """Returns a function that does ``plain_batch`` units of the same work in plain Python, written for clarity."""
    plain_batch: float = 1
    """A fraction if a whole unit would take seconds."""


@dataclass(frozen=True, slots=True)
class Measurement:
    """The result of a case: for each repeat, the rate in units a second of CPU time."""

    case: Case
    rates: tuple[float, ...]
    plain_rates: tuple[float, ...]
    """Rates of the plain reference; empty if there is none."""

    @property
    def values(self) -> tuple[float, ...]:
        """The result of each repeat, in ``unit``."""
        scale = {"us": 1e6, "ms": 1e3}.get(self.case.timed)
        return tuple(scale / rate for rate in self.rates) if scale else self.rates

    @property
    def value(self) -> float:
        """The median of the repeats, in ``unit``."""
        return statistics.median(self.values)

    @property
    def unit(self) -> str:
        """The unit of ``value``, such as ``boards/s`` or ``us``."""
        return self.case.timed or f"{self.case.units}/s"

    @property
    def times_plain_python(self) -> float | None:
        """How many times as fast as the plain reference; None if there is none."""
        return statistics.median(self.rates) / statistics.median(self.plain_rates) if self.plain_rates else None


def cases(name: str) -> list[Case]:
    """Return all cases of a game: its own ones, a step of a single board, a whole match, and self-play."""
    module = f"{__name__}.{name}"
    bench = importlib.import_module(module) if find_spec(module) else None
    own: list[Case] = getattr(bench, "CASES", [])
    return [*own, step_case(name, getattr(bench, "PLAIN_STEP", None)), match_case(name), self_play_case(name)]


def step_case(name: str, plain: Prepare | None) -> Case:
    """Return the case that measures a turn of a single board: every question, every answer and the step.

    Args:
        name: name of the game.
        plain: ``PLAIN_STEP`` of the game's module in this folder: like ``Case.plain``, one call plays one turn of
            one board, with questions and answers if the plain rules have them.
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
    """Return the case that measures a match without its bots: rules, referee and records, with random answers."""
    game, table = game_named(name), _table(name)
    answers = random_answers(game, **table)
    return Case("match", 1, "matches", lambda: lambda: replay_answers(game, answers, **table))


def self_play_case(name: str, boards: int = 4_096) -> Case:
    """Return the case that measures self-play: turns of random seats on many boards, with the masks of choices."""
    game, table = game_named(name), _table(name)

    def turns() -> Iterator[None]:
        rng = np.random.default_rng(0)
        while True:
            state = game.reset(range(boards), table["players"], table["options"])
            while not game.over(state).all():
                legal = game.legal(state)
                state = game.step(state, game.choose(state, random_choices(legal, rng), legal))
                yield

    return Case("turn of self-play", boards, "turns", lambda: partial(next, turns()))


def _table(name: str) -> dict[str, Any]:
    """Return seed, number of players and options of the match that is measured."""
    game = game_named(name)
    return {"seed": 0, "players": game.players[0], "options": next(iter(game.rulesets.values()))}


def measure(case: Case, *, repeats: int = REPEATS, seconds: float = SECONDS) -> Measurement:
    """Run a case and its plain reference alternately, after one call of each to warm up."""
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
    """Return the number of calls a second of CPU time, measured over at least ``seconds`` of CPU time."""
    calls, start = 0, time.process_time()
    while (spent := time.process_time() - start) < seconds or not calls:
        work()
        calls += 1
    return calls / spent
