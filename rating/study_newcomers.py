"""A study of newcomers: how soon they have a place, and whether they move those who were there before.

A league of the world of ``rating.study`` gets newcomers in pairs, a new bot and a new version of an old one, each pair
when the one before has its place. As in the arena, the old version retires as the new one comes. Some of the old bots
are anchors, declared at what they were before.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rating import PROVISIONAL_INTERVAL, fit, interval, results_collect
from rating.study import Floats, League

ANCHORS = 15
BOTS_A_PAIR = 8
REST = 10
"""Matches between two looks at the newcomers: they play at most five at a time."""


def newcomers_study(*, bots: int, matches_per_bot: int, pairs: int, seed: int) -> dict[str, float]:
    """Play, and say how newcomers fared.

    Args:
        bots: who play from the beginning.
        matches_per_bot: of these before the first newcomers.
        pairs: newcomers of each kind.
        seed: makes everything.

    Returns:
        ``fresh`` and ``inherited``, matches until the interval is ± 100, the median of new bots and of new versions,
        and ``fresh_most`` and ``inherited_most``; ``drift``, Elo points by which the matches of newcomers moved the
        mean of the old bots that are no anchors, ``drift_in_all``, by which it moved meanwhile, since the old bots and
        the anchors play on and become better known, and ``anchor_drift`` that of the anchors.

    Raises:
        ValueError: there are too few bots.
    """
    if bots < BOTS_A_PAIR * pairs:
        raise ValueError(f"So many newcomers want at least {BOTS_A_PAIR * pairs} bots: fewer never tell their place.")
    rng = np.random.default_rng(seed)
    parents = {bots + 2 * pair + 1: int(rng.integers(bots)) for pair in range(pairs)}
    league = League(bots, rng, parents=parents, newcomers=2 * pairs)
    league.play(until=matches_per_bot * bots // 2)
    before = league.fit.rating[:bots].copy()
    anchors = rng.permutation(bots) < min(ANCHORS, bots // 2)
    taken = np.array([_pair_arrives(league, parents[bots + 2 * pair + 1]) for pair in range(pairs)])
    after = league.fit.rating[:bots]
    by_newcomers, in_all = _moved(after, _without_newcomers(league, bots), anchors), _moved(after, before, anchors)
    return {
        "fresh": float(np.median(taken[:, 0])),
        "fresh_most": float(taken[:, 0].max()),
        "inherited": float(np.median(taken[:, 1])),
        "inherited_most": float(taken[:, 1].max()),
        "drift": round(float(by_newcomers[~anchors].mean()), 2),
        "drift_in_all": round(float(in_all[~anchors].mean()), 2),
        "anchor_drift": round(float(in_all[anchors].mean()), 2),
    }


def _pair_arrives(league: League, parent: int) -> tuple[int, int]:
    """Let two newcomers play until both have a place; returns how many matches each took."""
    two = [league.bots, league.bots + 1]
    league.bots += 2
    league.retired.add(parent)
    league.since[two] = float(len(league.results))
    taken = [0, 0]
    while not all(taken):
        league.play(until=len(league.results) + REST)
        for i, bot in enumerate(two):
            if not taken[i] and interval(league.fit.se[bot]) <= PROVISIONAL_INTERVAL:
                taken[i] = int(league.games[bot])
    return taken[0], taken[1]


def _without_newcomers(league: League, bots: int) -> Floats:
    """Return the ratings of the old bots as they would be without the matches of the newcomers."""
    old = [(players, ranks) for players, ranks in league.results if max(players) < bots]
    return fit(len(league.games), results_collect(old), league.prior).rating[:bots]


def _moved(after: Floats, before: Floats, anchors: NDArray[np.bool_]) -> Floats:
    """Return by how much ratings have moved on the scale of the anchors, which were declared at what they were."""
    return np.asarray(after - before - (after - before)[anchors].mean())
