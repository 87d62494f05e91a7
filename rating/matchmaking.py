"""Matchmaking: chooses which versions meet, as a pure function of a snapshot, without database or clock.

A version plays its first ``PROVISIONAL_GAMES`` matches before all others, people's bots before house bots. After that,
turns go by what a match can still change: a version's *open places* (``places_open``), the ranks that its interval and
those of the others allow. Ratings in the wrong order are all that is wrong with a board, and two versions whose 95 %
intervals do not overlap are in the wrong order with a chance of at most 2.5 %, by the normal approximation of
``rating.fit``. Of the versions with open places, those go first whose interval is wider than ± 100, until they have
played as many matches as should give that (``ROUGH_GAMES``): all get a rough rating before some get a fine one. Within
each group the longest-waiting version comes first; its waiting time counts for more, the more a match can correct: if
the version is uncertain, and if many others have about its rating (``_Chooser.urgency``).

A version with one open place is *clear*: it gives its turns up, however wide its interval is. A version that loses to
or beats all others keeps a wide interval for ever, and is clear all the same, since its rating moves away from theirs.
The others give their turns up from ± 50 on, the best ten (of a small board, the better half) from ± 25 on, house bots
from ± 100 on, or when they have played as many matches as should give that (``SETTLED_GAMES``): two versions that are
equal and lose to all others have neither clear places nor narrow intervals, but more matches would tell little. Who has
given its turns up plays one match a day. A version that has waited for very long gets every other encounter, so that no
version waits for ever.

Most opponents have about the same rating, but some are drawn from far and near. Near opponents alone give a good order
but wrong intervals, because the distance between top and bottom would depend on long chains of neighbours. Opponents
that a version has not met yet are preferred: each version beats some opponents more often than their ratings say, and
would be rated too high, with a narrow interval, if it met these again and again. The simulation in ``tests/studies``
measures all this.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rating.fit import PROVISIONAL_GAMES, PROVISIONAL_INTERVAL, expected_score, interval
from rating.orders import Floats, Ints

Mask = NDArray[np.bool_]

SETTLED_INTERVAL = 50.0
"""Elo points: a version whose interval is at most ± this gives its turns up."""
SETTLED_GAMES = 280
"""A version with this many matches gives its turns up, too. A match of equals tells Q^2 / 4, the most there is by Elo's
formula (Fisher's information). So 185 even games give ± 50, and of usual ones half as many again suffice."""
TOP_SETTLED_INTERVAL = 25.0
TOP_SETTLED_GAMES = 750
"""The interval and the number of matches at which the best versions (see ``TOP``) give their turns up; ± 25 takes 742
even games."""
ROUGH_INTERVAL = 100.0
ROUGH_GAMES = 70
"""The interval and the number of matches that make a rating rough: until then, a version with open places goes first.
± 100 takes 46 even games. With a limit on matches, versions that keep wide intervals cannot go first for long."""
HOUSE_SETTLED_INTERVAL, HOUSE_SETTLED_GAMES = ROUGH_INTERVAL, ROUGH_GAMES
"""The interval and the number of matches at which house bots give their turns up. A clear place alone is not enough
for them, since they hold the scale."""
TOP = 10
"""How many of the best versions are measured more precisely; on a small board, at most the better half."""
IN_FLIGHT_MAX = 5
"""No encounter is chosen for a version if its matches in flight would become more than this."""
BROAD_SHARE = 1 / 4
"""Share of opponents that are drawn from far and near with the weight p (1 - p), the information expected of a result;
p is the expected score."""
NEAR_POWER = 6
"""The other opponents are drawn with the weight (4 p (1 - p))^6, which prefers those within 120 Elo points or so, times
their standard error, because a match should tell as much as possible of both."""
NEWCOMER_SE = 2**0.5
"""A version whose interval is wider than ± ``PROVISIONAL_INTERVAL``, and whose standard error is more than this many
times the median, is a newcomer to a settled league: a match tells much of it and little of its opponent."""
NEWCOMER_POWER = 12
"""Opponents of newcomers are drawn with the weight (4 p (1 - p))^12: these are the nearest ones, to settle soon."""
MET_POWER = 2
"""All weights are divided by (1 + number of earlier encounters with the version that the encounter is for)^2."""
ALONE_CHANCE = 0.9
"""A version whose expected score against everybody is above this, or below 1 - this, stands alone. It meets the nearest
versions however often they have met, because only their results tell how far ahead or behind it is."""
CROWD = 100.0
"""Elo points up and down within which other versions belong to a version's crowd."""
DAY_SECONDS = 86_400.0
OVERDUE_SECONDS = 3_600.0
"""A version that has waited for longer than this is overdue."""
OVERDUE_SHARE = 0.5
"""Share of encounters that go to overdue versions while there are any. The others let new uploads play soon."""


def in_maintenance(
    width: ArrayLike, games: ArrayLike, *, clear: ArrayLike = False, top: ArrayLike = False, house: ArrayLike = False
) -> Mask:
    """Return whether versions (one or an array) play only one match a day, because more would change little.

    Args:
        width: half the width of the rating's interval, Elo points.
        games: number of rated matches.
        clear: whether the version has only one open place (``places_open``); it does not count for house bots.
        top: whether the version is among the ``TOP`` best.
        house: whether it is a house bot, which once it is placed plays only as an opponent of others.
    """
    goal = np.where(house, HOUSE_SETTLED_INTERVAL, np.where(top, TOP_SETTLED_INTERVAL, SETTLED_INTERVAL))
    games_max = np.where(house, HOUSE_SETTLED_GAMES, np.where(top, TOP_SETTLED_GAMES, SETTLED_GAMES))
    enough = np.less_equal(width, goal) | np.greater_equal(games, games_max) | np.greater(clear, house)
    return np.greater_equal(games, PROVISIONAL_GAMES) & enough


def places_open(rating: Floats, width: Floats, among: Mask) -> Ints:
    """Return (n,): how many places on the board intervals leave open to each version, at least 1.

    Args:
        rating: (n,) Elo points.
        width: (n,) half the width of each interval.
        among: (n,) which versions count besides the version itself. A newcomer overlaps everybody, and finds its place
            by its own first matches: others need none for that.
    """
    low, high = rating - width, rating + width
    beneath = np.searchsorted(np.sort(low[among]), high, side="right")  # those that do not lie wholly above
    below = np.searchsorted(np.sort(high[among]), low, side="left")
    return np.asarray(beneath - below + ~among)


@dataclass(frozen=True, slots=True)
class Candidate:
    """An active version."""

    version: int
    owner: int | None
    """Key of the owner or team; None for a house bot. Bots of one key never meet; house bots do, so that a new arena
    has matches to show."""
    artifact: str
    """Digest of the built program: a program never meets itself under another name."""
    rating: float
    """Elo points."""
    se: float
    """Standard error of the rating, Elo points."""
    games: int
    waiting_since: float
    """When a match of the version was last chosen, or else when the version became active; seconds since any epoch."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Everything that the choice depends on."""

    candidates: Sequence[Candidate]
    in_flight: Sequence[tuple[int, ...]]
    """The versions in each match that waits or runs."""
    now: float
    """Seconds since the epoch of ``waiting_since``."""
    visitors: bool = False
    """Whether other jobs want the workers, in any contest: then house bots leave these to them after their own first
    matches."""
    matches_with: Callable[[int], Mapping[int, int]] = lambda version: {}
    """Returns how many matches a version has played with each opponent. Called once for each encounter, with the
    version that it is chosen for."""


def choose(snapshot: Snapshot, *, tables: int, players: int = 2, rng: np.random.Generator) -> list[tuple[int, ...]]:
    """Choose encounters between versions. Each is then played from all seats on one seed (see ``rotations``).

    Args:
        snapshot: the state of the arena.
        tables: the most encounters to choose; fewer are chosen if no version needs a match or no opponent is allowed.
        players: number of players of a match, 2 to 4.
        rng: equal snapshots and generators give equal choices.

    Returns:
        The versions of each encounter, first the version that it was chosen for.
    """
    chooser = _Chooser(snapshot, players, rng)
    chosen: list[tuple[int, ...]] = []
    while len(chosen) < tables and (table := chooser.next_table()):
        chosen.append(tuple(snapshot.candidates[i].version for i in table))
    return chosen


def rotations(table: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return the seatings of the matches of an encounter: each version sits on each seat once."""
    return [table[k:] + table[:k] for k in range(len(table))]


class _Chooser:
    """The candidates as arrays, and the encounters chosen so far. Candidates are numbered as in the snapshot."""

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
        self.stuck = np.zeros(len(candidates), dtype=bool)
        """Whether each candidate has no allowed opponent left."""
        games = np.array([c.games for c in candidates], dtype=np.int64)
        self.house = np.array([c.owner is None for c in candidates], dtype=bool)
        width = np.array([interval(c.se) for c in candidates], dtype=np.float64)
        self.placing = games < PROVISIONAL_GAMES
        places = places_open(self.rating, width, ~self.placing)
        self.urgency = self._crowd() * self.se**3
        """How much one more match corrects. The number of versions in the wrong order is about the sum of crowd times
        standard error, and one more match lowers a standard error in proportion to its third power."""
        placed = np.flatnonzero(~self.placing)
        top = np.zeros(len(candidates), dtype=bool)
        best = placed[np.argsort(-self.rating[placed], kind="stable")]
        top[best[: min(TOP, len(best) // 2)]] = True
        maintained = in_maintenance(width, games, clear=places == 1, top=top, house=self.house)
        self.undecided = ~self.placing & ~maintained
        self.rough = self.undecided & (width > ROUGH_INTERVAL) & (games < ROUGH_GAMES)
        median = np.median(self.se) if candidates else 0.0
        self.newcomer = (width > PROVISIONAL_INTERVAL) & (self.se > NEWCOMER_SE * median)
        self.due = maintained & (self.waiting >= DAY_SECONDS)
        beyond = self.waiting - np.where(maintained, DAY_SECONDS, 0.0)
        self.overdue = beyond >= OVERDUE_SECONDS
        self.load = np.zeros(len(self.index), dtype=np.int64)
        self.meeting: defaultdict[int, set[int]] = defaultdict(set)
        for match in snapshot.in_flight:
            self._seat([self.index[version] for version in match if version in self.index], matches=1)
        self.stepping_back = self.house & ~self.placing & ~self.overdue & snapshot.visitors

    def _crowd(self) -> Floats:
        """Return (n,): how many candidates are within ``CROWD`` of each one's rating, itself included."""
        ladder = np.sort(self.rating)
        up = np.searchsorted(ladder, self.rating + CROWD, side="right")
        return np.asarray(up - np.searchsorted(ladder, self.rating - CROWD), dtype=np.float64)

    def _seat(self, table: Sequence[int], matches: int) -> None:
        """Note that the candidates of a table meet in this many matches."""
        self.load[list(table)] += matches
        for i in table:
            self.meeting[i].update(table)

    def next_table(self) -> list[int] | None:
        """Return the candidates of the next encounter, or None if no candidate needs one."""
        while (first := self._first()) is not None:
            met = np.zeros(len(self.rating))
            for version, matches in self.matches_with(self.versions[first]).items():
                if version in self.index:
                    met[self.index[version]] = matches / self.players
            table, freshness = [first], ((1 + met) ** -MET_POWER)
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
        """Return the candidate that the next encounter is for, or None if no candidate needs one."""
        free = ~self.stuck & ~self.stepping_back & (self.load + self.players <= IN_FLIGHT_MAX)
        overdue = free & self.overdue & (self.load == 0)
        if overdue.any() and self.rng.random() < OVERDUE_SHARE:
            return _greatest(self.waiting, overdue)
        for group in (self.placing & ~self.house, self.placing, self.rough, self.undecided):
            if (waiting := free & group).any():
                return _greatest((1.0 + self.waiting) * self.urgency, waiting)
        due = free & self.due
        return _greatest(self.waiting, due) if due.any() else None

    def _opponent(self, table: list[int], freshness: Floats) -> int | None:
        """Draw one more candidate for a table; return None if none is allowed at it."""
        # (n,): whether each candidate may join: no pair twice in flight, no common owner, no equal program.
        allowed = np.ones(len(self.rating), dtype=bool)
        for i in table:
            allowed &= (self.owner != self.owner[i]) & (self.artifact != self.artifact[i])
            allowed[[i, *self.meeting[i]]] = False
        if not allowed.any():
            return None
        chance = expected_score(self.rating[table[0]], self.rating)
        information = 4 * chance * (1 - chance)  # expected of a result; 1 among equals
        nearest = information[allowed].max()
        if nearest < 4 * ALONE_CHANCE * (1 - ALONE_CHANCE):
            # From 6,400 Elo points on, no chance can be told from 0 or 1: then all are equally likely.
            information = (information / nearest) ** NEWCOMER_POWER if nearest else np.ones_like(information)
            freshness = np.ones_like(information)
        elif self.newcomer[table[0]]:
            information **= NEWCOMER_POWER
        elif self.rng.random() >= BROAD_SHARE:
            information = information**NEAR_POWER * self.se
        weights = np.where(allowed, information * freshness + 1e-12, 0.0)
        return int(self.rng.choice(len(weights), p=weights / weights.sum()))


def _greatest(values: Floats, among: Mask) -> int:
    """Return the index of the greatest value where ``among`` is True."""
    return int(np.argmax(np.where(among, values, -np.inf)))


def _labels(values: Sequence[object]) -> NDArray[np.int64]:
    """Return (n,): a number for each value, equal numbers for equal values."""
    numbers = {value: number for number, value in enumerate(dict.fromkeys(values))}
    return np.array([numbers[value] for value in values], dtype=np.int64)
