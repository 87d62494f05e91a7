"""A simulation of newcomers: how soon their ratings settle, and whether they change the ratings of older bots.

Newcomers join a league of ``tests.studies.ladder`` in pairs, a new bot and a new version of an old bot; each pair
joins when the ratings of the pair before have settled. As in the arena, an old version retires when the new one joins.
Some of the old bots are anchors, whose declared ratings are those before the first newcomer.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rating.fit import PROVISIONAL_GAMES, PROVISIONAL_INTERVAL, fit, interval
from rating.matchmaking import places_open
from rating.orders import Floats, results_collect
from tests.studies.ladder import SimulatedLeague

ANCHORS = 15
BOTS_A_PAIR = 8
REST = 10
"""Matches played before the newcomers' intervals are checked again; a newcomer has at most five in flight."""


def newcomers_study(*, bots: int, matches_per_bot: int, pairs: int, seed: int) -> dict[str, float]:
    """Simulate a league with newcomers, and return how they fared.

    Args:
        bots: number of bots that play from the beginning.
        matches_per_bot: average number of matches of a bot before the first newcomers join.
        pairs: number of pairs of newcomers.
        seed: decides everything that is random.

    Returns:
        ``fresh`` and ``inherited``: the median number of matches until the interval is ± 100 or the place is clear, of
        new bots and of new versions; ``fresh_most`` and ``inherited_most``: the greatest numbers. ``drift``: Elo points
        by which the matches of newcomers changed the mean of the old bots that are no anchors; ``drift_in_all``: by how
        much it changed altogether, as old bots and anchors play on, too; ``anchor_drift``: the same for the anchors.

    Raises:
        ValueError: there are too few bots.
    """
    if bots < BOTS_A_PAIR * pairs:
        raise ValueError(f"{pairs} pairs need at least {BOTS_A_PAIR * pairs} bots, or their places stay unknown.")
    rng = np.random.default_rng(seed)
    parents = {bots + 2 * pair + 1: int(rng.integers(bots)) for pair in range(pairs)}
    league = SimulatedLeague(bots, rng, parents=parents, newcomers=2 * pairs)
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


def _pair_arrives(league: SimulatedLeague, parent: int) -> tuple[int, int]:
    """Let two newcomers join and play until both have settled; return how many matches each has played by then."""
    two = [league.bots, league.bots + 1]
    league.bots += 2
    league.retired.add(parent)
    league.since[two] = float(len(league.results))
    taken = [0, 0]
    while not all(taken):
        league.play(until=len(league.results) + REST)
        for i, bot in enumerate(two):
            if not taken[i] and _is_settled(league, bot):
                taken[i] = int(league.games[bot])
    return taken[0], taken[1]


def _is_settled(league: SimulatedLeague, bot: int) -> bool:
    """Tell whether a newcomer's interval is ± 100, or its place clear: then it has given its turns up."""
    width = interval(1.0) * league.fit.se[: league.bots]
    placed = league.games[: league.bots] >= PROVISIONAL_GAMES
    placed[list(league.retired)] = False
    clear = placed[bot] and places_open(league.fit.rating[: league.bots], width, placed)[bot] == 1
    return bool(clear or width[bot] <= PROVISIONAL_INTERVAL)


def _without_newcomers(league: SimulatedLeague, bots: int) -> Floats:
    """Return (bots,): the ratings of the old bots without the matches of newcomers."""
    old = [(players, ranks) for players, ranks in league.results if max(players) < bots]
    return fit(len(league.games), results_collect(old), league.prior).rating[:bots]


def _moved(after: Floats, before: Floats, anchors: NDArray[np.bool_]) -> Floats:
    """Return by how much ratings have changed, on a scale on which the mean of the anchors has not changed."""
    return np.asarray(after - before - (after - before)[anchors].mean())
