"""A simulation of the ladder: our matchmaker pairs bots of known strength, and the fit is compared with the truth.

The simulated world is harder than the model assumes: strengths N(1500, 250), a cyclic term of 60 Elo (rock, paper,
scissors), draws by Davidson's model ("On extending the Bradley-Terry model to accommodate ties", 1970), seats worth 25
Elo up and down, maps that favour one of the two by N(0, 60), and half as many matches in flight as there are bots,
which finish in random order. The true ratings are those that an endless round robin would give.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import permutations

import numpy as np

from rating.fit import Fit, fit, fit_orders, interval
from rating.matchmaking import DAY_SECONDS, Candidate, Snapshot, choose, rotations
from rating.model import LINEAGE_SD, Prior, Q
from rating.orders import Floats, Orders, results_collect

STRENGTH_MEAN = 1500.0
STRENGTH_SD = 250.0
CYCLE = 60.0
DRAWS = 0.25
SEAT = 25.0
MAP_SD = 60.0
BOTS_MIN = 8
CHECKPOINTS = (10, 20, 40, 80, 115, 160, 240)
"""Average numbers of matches of a bot at which ``study`` yields a line, besides the end."""
REFITS_A_ROUND = 4
"""Number of fits in the time in which every bot plays one match on average."""
MAPS = np.polynomial.hermite_e.hermegauss(9)
"""Points and weights of the numerical average over maps (Gauss and Hermite)."""


def study(*, bots: int, matches_per_bot: int, seed: int) -> Iterator[dict[str, float]]:
    """Simulate a season, and yield at each checkpoint how near the ratings are to the true ones.

    Yields:
        ``matches_per_bot``; ``tau``, Kendall's rank correlation with the truth; ``coverage``, the share of bots whose
        95 % interval contains the true rating; ``rmse`` in Elo points.
    """
    league = SimulatedLeague(bots, np.random.default_rng(seed))
    for checkpoint in sorted({*CHECKPOINTS, matches_per_bot}):
        if checkpoint <= matches_per_bot:
            league.play(until=checkpoint * bots // 2)
            yield {"matches_per_bot": float(checkpoint), **league.compare()}


class World:
    """The true strengths, which matchmaking and fit do not know."""

    def __init__(self, bots: int, parents: Mapping[int, int], rng: np.random.Generator) -> None:
        self.rng = rng
        strength = rng.normal(STRENGTH_MEAN, STRENGTH_SD, bots)
        for child, parent in parents.items():
            strength[child] = rng.normal(strength[parent], LINEAGE_SD)
        phase = rng.uniform(0, 2 * np.pi, bots)
        self.edge = strength[:, None] - strength + CYCLE * np.sin(phase[:, None] - phase)
        """(bots, bots): the true difference of each pair in Elo points, without seats and map."""
        self.truth = self._truth()

    def _truth(self) -> Floats:
        """Return (bots,): the ratings that an endless round robin would give, with mean 0."""
        bots = len(self.edge)
        score = np.zeros_like(self.edge)
        for point, weight in zip(MAPS[0], MAPS[1] / MAPS[1].sum(), strict=True):
            for seat in (SEAT, -SEAT):
                win, draw = _chances(self.edge + 2 * seat + MAP_SD * point)
                score += weight * (win + draw / 2) / 2
        pairs = np.array(list(permutations(range(bots), 2)))
        orders = Orders(np.ascontiguousarray(pairs.T), (), 1e3 * score[pairs[:, 0], pairs[:, 1]])
        rating = fit_orders(bots, [orders], Prior(seat_sd=None), anchors={}).rating
        return np.asarray(rating - rating.mean())

    def ranks(self, first: int, second: int, favour: float) -> tuple[int, int]:
        """Play one match and return the ranks; ``favour`` is the advantage of the first by the map, in Elo points."""
        win, draw = _chances(self.edge[first, second] + 2 * SEAT + favour)
        dice = self.rng.random()
        return (1, 2) if dice < win else (1, 1) if dice < win + draw else (2, 1)


def _chances(edge: Floats) -> tuple[Floats, Floats]:
    """Return the chances of a win and of a draw, given the difference in Elo points."""
    up = np.exp(Q * edge / 2)
    total = up + 1 / up + DRAWS
    return up / total, DRAWS / total


class SimulatedLeague:
    """The known part of a simulation: matches in flight, results, ratings."""

    def __init__(
        self, bots: int, rng: np.random.Generator, *, parents: Mapping[int, int] | None = None, newcomers: int = 0
    ) -> None:
        """Create the world and a league without matches.

        Args:
            bots: the number of bots that play from the beginning, ``BOTS_MIN`` or more.
            rng: decides the world, the pairings and the results.
            parents: the bot from which each newcomer inherits, if it is a new version.
            newcomers: the number of bots that may join later, by raising ``bots``.

        Raises:
            ValueError: there are too few bots.
        """
        if bots < BOTS_MIN:
            raise ValueError(f"A season wants at least {BOTS_MIN} bots: fewer never tell who is how strong.")
        self.bots = bots
        self.retired: set[int] = set()
        """Bots that get no new matches, because a newer version of them has joined."""
        self.rng = rng
        self.prior = Prior.of_parents(bots + newcomers, parents or {})
        self.world = World(bots + newcomers, parents or {}, rng)
        self.in_flight: list[tuple[tuple[int, ...], float]] = []
        """Seating, and the advantage of the bot with the lower number by the map."""
        self.results: list[tuple[tuple[int, ...], tuple[int, ...]]] = []
        self.games = np.zeros(bots + newcomers, dtype=np.int64)
        self.met: list[Counter[int]] = [Counter() for _ in self.games]
        self.since = np.zeros(len(self.games))
        self.refit(None)

    def play(self, until: int) -> None:
        """Play until ``until`` matches are finished in all; simulated time is one second a match."""
        batch = max(1, self.bots // (2 * REFITS_A_ROUND))
        while len(self.results) < until:
            free = max(0, self.bots // 2 - len(self.in_flight))
            now = float(len(self.results))
            shown = list(zip(self.fit.rating, self.fit.se, self.games, self.since, strict=True))[: self.bots]
            candidates = [
                Candidate(bot, bot, str(bot), float(rating), float(se), int(games), float(since))
                for bot, (rating, se, games, since) in enumerate(shown)
                if bot not in self.retired
            ]
            seatings = [seating for seating, _ in self.in_flight]
            snapshot = Snapshot(candidates, seatings, now, matches_with=self.met.__getitem__)
            for table in choose(snapshot, tables=-(-free // 2), rng=self.rng):
                favour = float(self.rng.normal(0.0, MAP_SD))
                self.in_flight += [(seating, favour) for seating in rotations(table)]
                self.since[list(table)] = now
            if not self.in_flight:  # everybody has given its turns up: a day goes by
                self.since -= DAY_SECONDS
            for _ in range(min(batch, until - len(self.results), len(self.in_flight))):
                self._finish()
            self.refit(self.fit.rating)

    def refit(self, start: Floats | None) -> None:
        """Fit the ratings to all results so far, starting from the ratings ``start``."""
        self.fit: Fit = fit(len(self.games), results_collect(self.results), self.prior, start=start)

    def compare(self) -> dict[str, float]:
        """Return how near the ratings are to the true ones, see ``study``."""
        error = self.fit.rating - self.fit.rating.mean() - self.world.truth
        covered = np.abs(error) <= interval(1.0) * self.fit.se
        tau = _kendall(self.fit.rating, self.world.truth)
        rmse = float(np.sqrt(np.mean(error**2)))
        return {"tau": round(tau, 4), "coverage": round(float(covered.mean()), 4), "rmse": round(rmse, 1)}

    def _finish(self) -> None:
        (first, second), favour = self.in_flight.pop(int(self.rng.integers(len(self.in_flight))))
        ranks = self.world.ranks(first, second, favour if first < second else -favour)
        self.results.append(((first, second), ranks))
        self.games[[first, second]] += 1
        self.met[first][second] += 1
        self.met[second][first] += 1


def _kendall(a: Floats, b: Floats) -> float:
    """Return Kendall's tau of two lists without ties."""
    agree = np.sign(a[:, None] - a) * np.sign(b[:, None] - b)
    return float(agree.sum() / (len(a) * (len(a) - 1)))
