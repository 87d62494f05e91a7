"""Chooses the final matches of a contest: each version gets the games that it lacks, and the others play along.

As ``rating.matchmaking`` it is a pure function of a snapshot, and keeps the same rules of who may meet. It does not ask
what a match may tell: a version that came in the last minute has a right to its games, however clear its place is.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping

import numpy as np

from rating.fit import expected_score
from rating.matchmaking import IN_FLIGHT_MAX, Candidate, Snapshot

SATED_WEIGHT = 0.05
"""An opponent that lacks no games itself is drawn with this share of its weight: two who both lack games share one."""


def choose_finals(
    snapshot: Snapshot, *, lacking: Mapping[int, int], tables: int, players: int, rng: np.random.Generator
) -> list[tuple[int, ...]]:
    """Choose encounters for versions that lack games, those that lack most first.

    Args:
        snapshot: the state of the contest.
        lacking: how many finished games each version lacks, by version; those in flight are still to be subtracted.
        tables: the most encounters to choose; fewer are chosen if no version lacks games or no opponent is allowed.
        players: number of players of a match, each of which is played from all seats.
        rng: equal snapshots and generators give equal choices.

    Returns:
        The versions of each encounter, first the version that it was chosen for.
    """
    by_version = {each.version: each for each in snapshot.candidates}
    load = Counter(version for match in snapshot.in_flight for version in match)
    meeting: defaultdict[int, set[int]] = defaultdict(set)
    for match in snapshot.in_flight:
        for version in match:
            meeting[version].update(match)
    left = {version: lacking.get(version, 0) - load[version] for version in by_version}
    stuck: set[int] = set()
    chosen: list[tuple[int, ...]] = []
    while len(chosen) < tables:
        free = [
            version
            for version, games in left.items()
            if games > 0 and version not in stuck and load[version] + players <= IN_FLIGHT_MAX
        ]
        if not free:
            break
        table = [max(free, key=lambda version: (left[version], -version))]
        met = snapshot.matches_with(table[0])
        while len(table) < players:
            seated = [by_version[version] for version in table]
            allowed = [each for each in snapshot.candidates if _may_join(each, seated, meeting)]
            if not allowed:
                break
            weights = np.array([_weight(seated[0], each, left, met) for each in allowed])
            table.append(allowed[int(rng.choice(len(allowed), p=weights / weights.sum()))].version)
        if len(table) < players:
            stuck.add(table[0])
            continue
        chosen.append(tuple(table))
        for version in table:
            load[version] += players
            left[version] -= players
            meeting[version].update(table)
    return chosen


def _may_join(one: Candidate, seated: list[Candidate], meeting: Mapping[int, set[int]]) -> bool:
    """Return whether a version may join those seated at a table.

    No two may meet twice in flight (``meeting`` has the versions that each version meets there), have the same owner,
    or be the same program.
    """
    return all(
        one.version != other.version
        and one.artifact != other.artifact
        and (one.owner is None or one.owner != other.owner)
        and one.version not in meeting.get(other.version, ())
        for other in seated
    )


def _weight(first: Candidate, other: Candidate, left: Mapping[int, int], met: Mapping[int, int]) -> float:
    chance = float(expected_score(first.rating, other.rating))
    fresh = (1 + met.get(other.version, 0)) ** -2
    return (chance * (1 - chance) * fresh + 1e-12) * (1.0 if left[other.version] > 0 else SATED_WEIGHT)
