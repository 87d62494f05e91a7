"""Estimates how long a new version waits for its first games; its page shows the estimate.

The estimate follows the queue as ``jobs.fairness`` serves it. In the time in which the first games of a version are
played, as many are played of every other new version of its contest, as many matches of every other contest as of this
one, and of the other queue classes as many jobs as their shares allow. Each job takes as long as such jobs have lately
taken, and the workers' processes share the work.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from jobs.fairness import BUILD, HOUSE_BUILD, SHARES
from rating.fit import PROVISIONAL_GAMES
from rating.matchmaking import IN_FLIGHT_MAX

FIRST_GAMES = PROVISIONAL_GAMES
"""Number of games that a version plays before its rank can be sure."""
_PLACEMENT, _LADDER = _RATED = "placement", "ladder"


@dataclass(frozen=True, slots=True)
class Newcomer:
    """A version that has not played its first games yet."""

    games_left: int
    match_seconds: float
    """How long a match of its game takes."""
    newcomers_a_match: float = 1.0
    """How many newcomers sit at one of its matches on average, itself included."""
    players: int = 2

    def seconds(self, games: int) -> float:
        """Return how many seconds one process takes for ``games`` of its games, or for those left if they are fewer."""
        return min(self.games_left, games) * self.match_seconds / self.newcomers_a_match


@dataclass(frozen=True, slots=True)
class QueueLoad:
    """All the work that a version competes with."""

    processes: int
    others: Sequence[Newcomer] = ()
    """Other newcomers to its contest, those being built included."""
    elsewhere: Sequence[tuple[float, float]] = ()
    """For each other contest: how many rated matches wait there or are needed by its newcomers, and the seconds of
    one."""
    builds_ahead: int = 0
    """How many builds come before the version's own, plus one for its own; 0 once it is built."""
    waiting: Mapping[str, int] = field(default_factory=dict)
    """How many jobs wait in each queue class, without the builds of ``builds_ahead``. Of ``placement`` and ``ladder``
    only those of the version's contest count; newcomers' matches are estimated from ``others``, not from
    ``placement``."""
    build_seconds: float = 0.0
    """How long a build takes."""
    match_seconds: float = 0.0
    """How long a match takes, over all games."""


def seconds_expected(version: Newcomer, load: QueueLoad) -> float:
    """Return in how many seconds from now a version will have played its first games, its build included."""
    return _seconds_building(load) + _seconds_playing(version, load)


def _seconds_building(load: QueueLoad) -> float:
    if not load.builds_ahead:
        return 0.0
    until_free = load.build_seconds / load.processes if load.waiting.get(HOUSE_BUILD, 0) >= load.processes else 0.0
    return until_free + math.ceil(load.builds_ahead / load.processes) * load.build_seconds


def _seconds_playing(version: Newcomer, load: QueueLoad) -> float:
    games = version.games_left
    first = version.seconds(games) + sum(other.seconds(games) for other in load.others)
    firsts = first / load.match_seconds if load.match_seconds else 0.0
    ladder = min(load.waiting.get(_LADDER, 0), firsts * SHARES[_LADDER] / SHARES[_PLACEMENT])
    shared = [(min(jobs, firsts + ladder), seconds) for jobs, seconds in load.elsewhere]
    rated = firsts + ladder + sum(jobs for jobs, _ in shared)
    seconds = {name: _jobs(load, name, rated) * _job_seconds(load, name) for name in SHARES if name not in _RATED}
    work = first + ladder * load.match_seconds + sum(jobs * each for jobs, each in shared) + sum(seconds.values())
    # The arena's own builds get at most half of the processes, so they cost no more than that half.
    half = load.processes - max(1, load.processes // 2)
    evenly = work / load.processes
    spared = (work - seconds[HOUSE_BUILD]) / half if half else evenly
    return max(min(evenly, spared), games * version.match_seconds / _at_once(version, load))


def _jobs(load: QueueLoad, queue_class: str, rated: float) -> float:
    """Return how many jobs of a queue class are done while ``rated`` rated matches are played."""
    share_of_rated = SHARES[_PLACEMENT] + (SHARES[_LADDER] if load.waiting.get(_LADDER) else 0)
    return min(load.waiting.get(queue_class, 0), rated * SHARES[queue_class] / share_of_rated)


def _job_seconds(load: QueueLoad, queue_class: str) -> float:
    return load.build_seconds if queue_class in (BUILD, HOUSE_BUILD) else load.match_seconds


def _at_once(version: Newcomer, load: QueueLoad) -> int:
    """Return how many matches of a version can run at the same time: while others wait, on half of the processes."""
    free = max(1, load.processes // 2) if any(load.waiting.values()) else load.processes
    return min(free, IN_FLIGHT_MAX // version.players * version.players)
