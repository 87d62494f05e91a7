"""Small contests from their first match on: how many matches each bot gets, and when it gives its turns up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from rating.fit import PROVISIONAL_GAMES, expected_score, fit, interval
from rating.matchmaking import (
    HOUSE_SETTLED_GAMES,
    SETTLED_GAMES,
    TOP_SETTLED_GAMES,
    Candidate,
    Snapshot,
    choose,
    rotations,
)
from rating.model import Prior
from rating.orders import results_collect
from tests.studies.ladder import SimulatedLeague

pytestmark = pytest.mark.test_all

HOUSE = (700.0, 1_000.0, 1_200.0, 1_350.0, 1_500.0, 1_650.0)
LOSES_ALWAYS, WINS_ALWAYS = -5_000.0, 9_000.0
QUEUE = 8
"""Number of matches in flight."""
FIT_EVERY = 10
"""Number of matches between two fits."""


class Contest:
    """Bots of known strengths, the first of which are house bots; the better one wins by Elo's formula."""

    def __init__(self, house: Sequence[float], people: Sequence[float] = (), seed: int = 7) -> None:
        self.strength = [*house, *people]
        self.house = len(house)
        self.rng = np.random.default_rng(seed)
        self.in_flight: list[tuple[int, ...]] = []
        self.results: list[tuple[tuple[int, ...], tuple[int, ...]]] = []
        self.games = Counter[int]()
        self.since = Counter[int]()
        self.met: list[Counter[int]] = [Counter() for _ in self.strength]
        self.refit()

    def join(self, strength: float) -> int:
        """Let a person's bot join, and return its number."""
        self.strength.append(strength)
        self.met.append(Counter())
        self.since[len(self.met) - 1] = len(self.results)
        self.refit()
        return len(self.met) - 1

    def refit(self) -> None:
        self.fit = fit(len(self.strength), results_collect(self.results), Prior())

    def play(self, most: int = 5_000) -> None:
        """Play until nobody needs a match, or so many more have been played."""
        for _ in range(most):
            self._pair()
            if not self.in_flight:
                break
            self._finish(*self.in_flight.pop(int(self.rng.integers(len(self.in_flight)))))
            if len(self.results) % FIT_EVERY == 0:
                self.refit()
        self.refit()

    def _pair(self) -> None:
        """Fill the queue when it is half empty, first for people's bots and first matches, as the arena does."""
        if len(self.in_flight) > QUEUE // 2:
            return
        for visitors in (True, False):
            snapshot = Snapshot(
                [self._candidate(bot) for bot in range(len(self.strength))],
                self.in_flight,
                float(len(self.results)),
                visitors=visitors,
                matches_with=self._met,
            )
            chosen = choose(snapshot, tables=QUEUE // 4, rng=self.rng)
            for table in chosen:
                self.since.update({bot: len(self.results) - self.since[bot] for bot in table})
                self.in_flight += rotations(table)
            if chosen or any(bot >= self.house for match in self.in_flight for bot in match):
                return

    def _candidate(self, bot: int) -> Candidate:
        owner = None if bot < self.house else bot
        rating, se = float(self.fit.rating[bot]), float(self.fit.se[bot])
        return Candidate(bot, owner, str(bot), rating, se, self.games[bot], float(self.since[bot]))

    def _met(self, bot: int) -> Mapping[int, int]:
        return self.met[bot]

    def _finish(self, first: int, second: int) -> None:
        won = self.rng.random() < expected_score(self.strength[first], self.strength[second])
        self.results.append(((first, second), (1, 2) if won else (2, 1)))
        self.games.update((first, second))
        self.met[first][second] += 1
        self.met[second][first] += 1


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_house_bots_alone_are_placed_and_come_to_rest(seed: int) -> None:
    contest = Contest(HOUSE, seed=seed)
    contest.play()
    assert not contest.in_flight
    assert min(contest.games.values()) >= 64
    assert max(contest.games.values()) <= 2 * HOUSE_SETTLED_GAMES
    assert np.argsort(contest.fit.rating).tolist() == list(range(6))


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("strength", [LOSES_ALWAYS, WINS_ALWAYS], ids=["all losses", "all wins"])
def test_a_bot_that_loses_to_or_beats_all_gives_its_turns_up(strength: float, seed: int) -> None:
    """It had gone on until 754 matches and ± 230."""
    contest = Contest(HOUSE, seed=seed)
    contest.play()
    bot = contest.join(strength)
    contest.play()
    assert not contest.in_flight
    assert PROVISIONAL_GAMES <= contest.games[bot] <= 110
    assert interval(contest.fit.se[bot]) > 200
    assert int(np.argmin(contest.fit.rating) if strength == LOSES_ALWAYS else np.argmax(contest.fit.rating)) == bot


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_twin_of_the_weakest_bot_stops_in_time(seed: int) -> None:
    """Nobody can tell which of the two is better. It had gone on until 754 matches."""
    contest = Contest(HOUSE, seed=seed)
    contest.play()
    bot = contest.join(HOUSE[0])
    contest.play()
    assert not contest.in_flight
    assert contest.games[bot] <= SETTLED_GAMES + QUEUE + FIT_EVERY


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_visitor_gets_its_first_matches_before_all_others(seed: int) -> None:
    contest = Contest(HOUSE, [1_000.0 + 100.0 * place for place in range(5)], seed=seed)
    contest.play(600)
    bot, before = contest.join(1_425.0), len(contest.results)
    while contest.games[bot] < PROVISIONAL_GAMES:
        contest.play(1)
    assert len(contest.results) - before <= 2 * PROVISIONAL_GAMES


def test_eight_bots_all_get_their_first_matches_and_come_to_rest() -> None:
    contest = Contest((), [700.0, 720.0, 1_000.0, 1_010.0, 1_020.0, 1_300.0, 1_310.0, 2_250.0])
    contest.play(8 * PROVISIONAL_GAMES)
    assert min(contest.games.values()) >= PROVISIONAL_GAMES
    contest.play()
    assert not contest.in_flight
    assert contest.games[7] <= 200, "the best is far above the others, whose matches it plays as well"
    assert max(contest.games.values()) <= TOP_SETTLED_GAMES + SETTLED_GAMES
    assert int(np.argmax(contest.fit.rating)) == 7


def test_of_two_hundred_bots_nobody_is_forgotten_and_nobody_takes_all() -> None:
    league = SimulatedLeague(200, np.random.default_rng(7))
    league.play(until=200 * 30 // 2)
    assert league.games.min() >= PROVISIONAL_GAMES
    assert league.games.max() <= 3 * 30
