"""Who plays whom: a pure choice from a snapshot, without database or clock.

Versions are in one of three classes. A *new* one plays until its interval is ± 100, before all others; then it is
*settling*. In *maintenance* (± 50, the best ten ± 25, house bots as soon as they are no longer new) a version plays one
match a day. Within a class the longest-waiting is first, where an hour counts for more the more a match can correct: of
an uncertain version in a crowd, where many stand so near that their order is open. One that has waited for very long
gets every other place whatever its class, so nobody waits for ever.

Opponents come from near ratings, but some of them from far and near: pairing only near ranks well and makes the
intervals false, because the distance between the top and the bottom then hangs on long chains of neighbours. And rather
new opponents than old ones: a bot has some that it beats more often than their ratings say, and who meets these again
and again is placed too high with a narrow interval. Measured in ``rating.study``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rating import expected_score, has_rank, interval

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

NEW_INTERVAL = 100.0
"""A version is new while its interval (half, ±, Elo points) is wider."""
SETTLED_INTERVAL = 50.0
"""At this interval a version goes to maintenance .."""
TOP_SETTLED_INTERVAL = 25.0
""".. and one of the best at this."""
TOP = 10
GAMES_MAX = 750
"""Even games give ± 25 after so many: who is wider yet has no near opponent, and more matches would tell little."""
HOUSE_GAMES_MAX = 300
"""Likewise for house bots: one that beats all others, or none, would keep an arena without visitors busy for hours."""
IN_FLIGHT_MAX = 5
"""A version with more matches in flight than this leaves room for gets no encounter of its own."""
BROAD_SHARE = 1 / 4
"""Share of opponents drawn from far and near, with the weight p (1 - p): what a result is expected to tell."""
NEAR_POWER = 6
"""The others are drawn with the weight (4 p (1 - p))^6, within some 120 Elo points, times their own standard error: of
two who are as near, the match should tell as much as it can of both."""
NEWCOMER_SE = 2**0.5
"""A new version with so many times the median standard error comes into a league that is settled: it learns from a
match, and hardly anybody else does."""
NEWCOMER_POWER = 12
"""Its opponents are drawn with the weight (4 p (1 - p))^12, the nearest, so that it has its place the sooner."""
MET_POWER = 2
"""All weights are divided by (1 + encounters with the first at the table so far)^2."""
ALONE_CHANCE = 0.9
"""A version that is expected to take a greater share of the points from everybody (or to lose it to everybody) stands
alone. It meets the nearest however often they have met, because only their results tell how far ahead it is."""
CROWD = 100.0
"""Elo points up and down, within which others are a version's crowd."""
DAY_SECONDS = 86_400.0
OVERDUE_SECONDS = 3_600.0
"""Who has waited for so long is overdue."""
OVERDUE_SHARE = 0.5
"""Share of places that go to overdue versions while there are any; the rest keeps uploads quick."""


def in_maintenance(
    width: ArrayLike, games: ArrayLike, *, top: ArrayLike = False, house: ArrayLike = False
) -> NDArray[np.bool_]:
    """Return who plays one match a day, because more would tell little; of one version or of many.

    Args:
        width: of the intervals (half, ±, Elo points).
        games: rated matches.
        top: whether it is one of the ``TOP`` that have a rank.
        house: whether it is a house bot: an opponent and no contestant, which plays on only when it is asked.
    """
    goal = np.where(house, NEW_INTERVAL, np.where(top, TOP_SETTLED_INTERVAL, SETTLED_INTERVAL))
    enough = np.greater_equal(games, np.where(house, HOUSE_GAMES_MAX, GAMES_MAX))
    return np.less_equal(width, goal) | enough


@dataclass(frozen=True, slots=True)
class Candidate:
    """An active version."""

    version: int
    owner: int | None
    """None: a house bot. Two of one owner never meet, house bots do: an arena is alive before its first upload."""
    artifact: str
    """Digest: the same program never meets itself under another name."""
    rating: float
    """Elo points."""
    se: float
    """Standard error of the rating, Elo points."""
    games: int
    waiting_since: float
    """When it last was put into a match, or else when it became active; seconds, any epoch."""


def _nobody(version: int) -> Mapping[int, int]:
    return {}


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All that the choice depends on."""

    candidates: Sequence[Candidate]
    in_flight: Sequence[tuple[int, ...]]
    """The versions of each match that waits or runs."""
    now: float
    """Seconds, same epoch as ``waiting_since``."""
    visitors: bool = False
    """Somebody's bot is playing, in whatever game: house bots do not take its workers for matches of their own."""
    matches_with: Callable[[int], Mapping[int, int]] = _nobody
    """How many matches a version has played with each other; asked only of those that an encounter is chosen for."""


def choose(snapshot: Snapshot, *, tables: int, players: int = 2, rng: np.random.Generator) -> list[tuple[int, ...]]:
    """Choose encounters: who meets whom. Each is then played from all seats on one seed (see ``rotations``).

    Args:
        snapshot: as it is now.
        tables: how many encounters at most; fewer when nobody needs a match or no opponent is allowed.
        players: 2 to 4.
        rng: same snapshot and seed, same choice.

    Returns:
        The versions at each table, the one it was chosen for first.
    """
    chooser = _Chooser(snapshot, players, rng)
    chosen: list[tuple[int, ...]] = []
    while len(chosen) < tables and (table := chooser.next_table()):
        chosen.append(tuple(snapshot.candidates[i].version for i in table))
    return chosen


def rotations(table: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return the seatings of an encounter: everybody sits on every seat once."""
    return [table[k:] + table[:k] for k in range(len(table))]


class _Chooser:
    """The candidates as arrays, and what has been chosen so far. Candidates are numbered by place in the snapshot."""

    def __init__(self, snapshot: Snapshot, players: int, rng: np.random.Generator) -> None:
        candidates = snapshot.candidates
        self.players = players
        self.rng = rng
        self.index = {c.version: i for i, c in enumerate(candidates)}
        self.versions = [c.version for c in candidates]
        self.matches_with = snapshot.matches_with
        self.rating = np.array([c.rating for c in candidates], dtype=np.float64)
        self.se = np.array([c.se for c in candidates], dtype=np.float64)
        self.owner = _labels([("house", c.version) if c.owner is None else ("user", c.owner) for c in candidates])
        self.artifact = _labels([c.artifact for c in candidates])
        self.waiting = np.array([snapshot.now - c.waiting_since for c in candidates], dtype=np.float64)
        self.urgency = self._crowd() * self.se**3
        """How much one more match corrects: versions in the wrong order number about the sum of crowd times error, and
        a match more takes off the error what goes with its third power."""
        self.stuck = np.zeros(len(candidates), dtype=bool)
        """Who has no allowed opponent left."""
        self._classify(candidates)
        self._count_in_flight(snapshot)
        house = np.array([c.owner is None for c in candidates], dtype=bool)
        self.stepping_back = house & ~self.overdue & snapshot.visitors

    def _crowd(self) -> Floats:
        """Return how many candidates stand near each, itself among them."""
        ladder = np.sort(self.rating)
        up = np.searchsorted(ladder, self.rating + CROWD, side="right")
        return np.asarray(up - np.searchsorted(ladder, self.rating - CROWD), dtype=np.float64)

    def _classify(self, candidates: Sequence[Candidate]) -> None:
        width = np.array([interval(c.se) for c in candidates], dtype=np.float64)
        ranked = [i for i, c in enumerate(candidates) if has_rank(c.games)]
        top = np.zeros(len(candidates), dtype=bool)
        top[sorted(ranked, key=lambda i: -candidates[i].rating)[:TOP]] = True
        house = np.array([c.owner is None for c in candidates], dtype=bool)
        games = np.array([c.games for c in candidates], dtype=np.int64)
        maintained = in_maintenance(width, games, top=top, house=house)
        self.new = (width > NEW_INTERVAL) & ~maintained
        self.settling = ~self.new & ~maintained
        self.newcomer = self.new & (self.se > NEWCOMER_SE * (np.median(self.se) if len(candidates) else 0.0))
        self.due = maintained & (self.waiting >= DAY_SECONDS)
        beyond = self.waiting - np.where(maintained, DAY_SECONDS, 0.0)
        self.overdue = beyond >= OVERDUE_SECONDS

    def _count_in_flight(self, snapshot: Snapshot) -> None:
        self.load = np.zeros(len(self.index), dtype=np.int64)
        self.meeting: defaultdict[int, set[int]] = defaultdict(set)
        for match in snapshot.in_flight:
            self._seat([self.index[version] for version in match if version in self.index], matches=1)

    def _seat(self, table: Sequence[int], matches: int) -> None:
        """Note that these meet in so many matches."""
        self.load[list(table)] += matches
        for i in table:
            self.meeting[i].update(table)

    def next_table(self) -> list[int] | None:
        """Return the next encounter, or None when nobody needs one."""
        while (first := self._first()) is not None:
            table, freshness = [first], self._freshness(first)
            while len(table) < self.players and (other := self._opponent(table, freshness)) is not None:
                table.append(other)
            if len(table) == self.players:
                self._seat(table, matches=self.players)
                self.waiting[table] = 0.0
                self.due[table] = self.overdue[table] = False
                return table
            self.stuck[first] = True
        return None

    def _first(self) -> int | None:
        """Return the version that the next encounter is for."""
        free = ~self.stuck & ~self.stepping_back & (self.load + self.players <= IN_FLIGHT_MAX)
        overdue = free & self.overdue & (self.load == 0)
        if overdue.any() and self.rng.random() < OVERDUE_SHARE:
            return _greatest(self.waiting, overdue)
        for waiting in (free & self.new, free & self.settling):
            if waiting.any():
                return _greatest((1.0 + self.waiting) * self.urgency, waiting)
        due = free & self.due
        return _greatest(self.waiting, due) if due.any() else None

    def _drawn(self, weights: Floats) -> int:
        return int(self.rng.choice(len(weights), p=weights / weights.sum()))

    def _freshness(self, first: int) -> Floats:
        """Return a weight for each candidate, which falls with the encounters that this one had with it."""
        met = np.zeros(len(self.rating))
        for version, matches in self.matches_with(self.versions[first]).items():
            if version in self.index:
                met[self.index[version]] = matches / self.players
        return (1 + met) ** -MET_POWER

    def _opponent(self, table: list[int], freshness: Floats) -> int | None:
        """Return one more for a table, or None when nobody is allowed at it."""
        allowed = self._allowed(table)
        if not allowed.any():
            return None
        telling = self._telling(table[0])
        if telling[allowed].max() < 4 * ALONE_CHANCE * (1 - ALONE_CHANCE):
            telling, freshness = (telling / telling[allowed].max()) ** NEWCOMER_POWER, np.ones_like(telling)
        elif self.newcomer[table[0]]:
            telling **= NEWCOMER_POWER
        elif self.rng.random() >= BROAD_SHARE:
            telling = telling**NEAR_POWER * self.se
        return self._drawn(np.where(allowed, telling * freshness + 1e-12, 0.0))

    def _telling(self, first: int) -> Floats:
        """Return 4 p (1 - p) for each candidate: how much a result is expected to tell, 1 among equals."""
        chance = expected_score(self.rating[first], self.rating)
        return np.asarray(4 * chance * (1 - chance))

    def _allowed(self, table: list[int]) -> Mask:
        """Say who may join: no pair twice in flight, nobody of the same owner, not the same program."""
        allowed = np.ones(len(self.rating), dtype=bool)
        for i in table:
            allowed &= (self.owner != self.owner[i]) & (self.artifact != self.artifact[i])
            allowed[[i, *self.meeting[i]]] = False
        return allowed


def _greatest(values: Floats, among: Mask) -> int:
    """Return whose value is the greatest among some."""
    return int(np.argmax(np.where(among, values, -np.inf)))


def _labels(values: Sequence[object]) -> NDArray[np.int64]:
    """Return a number for each value, equal numbers for equal values."""
    numbers = {value: number for number, value in enumerate(dict.fromkeys(values))}
    return np.array([numbers[value] for value in values], dtype=np.int64)
