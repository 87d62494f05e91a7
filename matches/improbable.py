"""Which pairs have results that their ratings do not explain: the sums behind the collusion report.

What a pair should score is what both have shown against others. So their own games are first taken out of the ratings
(one step of case deletion, Cook & Weisberg, "Residuals and Influence in Regression", 1982). With the difference d of
the ratings, the score S in n games, its expectation n E, E = 1 / (1 + 10^(-d / 400)) and Q = ln 10 / 400, the games tie
the two with the weight w = n Q^2 E (1 - E). Let a and b be what all other games tell of each, so that the inverse of
[[a + w, -w], [-w, b + w]] has the variances of the two ratings on its diagonal. Then without the games the variance of
the difference is V' = 1 / a + 1 / b, and d' = d - V' Q (S - n E).

The p-value is predictive (Rubin, "Bayesianly justifiable and relevant frequency calculations", 1984): the tail of the
binomial distribution with chance E(x), averaged over x ~ N(d', V' + STYLE_SD^2), both sides. A draw is half a point;
counting it as the less extreme whole one makes the tail larger than it is, never smaller. Of many pairs some look odd
by chance, so what is reported is the false discovery rate (Benjamini & Hochberg, 1995).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ladder.rating import expected_score
from ladder.rating.model import PRIOR_SD, Q

Floats = NDArray[np.float64]

STYLE_SD = 75.0
"""Elo points by which a pair may differ from what ratings say without any arrangement: some styles suit each other."""
GAMES_MIN = 6
"""Pairs with fewer games are not tested: they could never be found, and would cost the others power."""
RATE = 0.05
"""Of the pairs reported, this share may be there by chance."""
_NODES, _WEIGHTS = np.polynomial.hermite_e.hermegauss(32)
_PAIRS_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Pair:
    """Two versions and their games against each other."""

    one: int
    other: int
    games: int
    score: float
    """Of ``one``; a draw is half a point."""
    difference: float
    """Rating of ``one`` less that of ``other``, Elo points."""
    variance_one: float
    """Of the rating of ``one``, Elo points squared."""
    variance_other: float


@dataclass(frozen=True, slots=True)
class Finding:
    """A pair that is improbable."""

    pair: Pair
    expected: float
    """Score of ``one`` by what both have shown against others."""
    p_value: float
    """Chance of a score as far off, or farther, in one pair."""
    q_value: float
    """Share of chance finds among all pairs that are as improbable or more so."""


def improbable(pairs: Sequence[Pair], *, rate: float = RATE) -> list[Finding]:
    """Return the pairs whose results their ratings do not explain, the most improbable first.

    Args:
        pairs: all that are looked at, or the rate means nothing; those with few games are left out.
        rate: the false discovery rate to keep.
    """
    tested = [pair for pair in pairs if pair.games >= GAMES_MIN]
    if not tested:
        return []
    expected, p_values = _judged(tested)
    q_values = benjamini_hochberg(p_values)
    order = np.argsort(p_values, kind="stable")
    return [
        Finding(tested[i], float(expected[i]), float(p_values[i]), float(q_values[i]))
        for i in order
        if q_values[i] <= rate
    ]


def benjamini_hochberg(p_values: Floats) -> Floats:
    """Return for each p-value the rate at which it is just still found: the least p m / rank of those not smaller."""
    count = len(p_values)
    order = np.argsort(p_values, kind="stable")
    scaled = p_values[order] * count / np.arange(1, count + 1)
    q_values = np.empty(count)
    q_values[order] = np.minimum(np.minimum.accumulate(scaled[::-1])[::-1], 1.0)
    return q_values


def _judged(pairs: Sequence[Pair]) -> tuple[Floats, Floats]:
    """Return expected scores and p-values; pairs with equally many games are computed together."""
    expected, p_values = np.empty(len(pairs)), np.empty(len(pairs))
    by_games: defaultdict[int, list[int]] = defaultdict(list)
    for i, pair in enumerate(pairs):
        by_games[pair.games].append(i)
    for games, places in by_games.items():
        for begin in range(0, len(places), _PAIRS_AT_ONCE):
            some = places[begin : begin + _PAIRS_AT_ONCE]
            expected[some], p_values[some] = _judge(games, [pairs[i] for i in some])
    return expected, p_values


def _judge(games: int, pairs: Sequence[Pair]) -> tuple[Floats, Floats]:
    score = np.array([pair.score for pair in pairs])
    difference, variance = _without_own(games, pairs)
    spread = np.sqrt(variance + STYLE_SD**2)
    chance = expected_score(difference[:, None] + spread[:, None] * _NODES, 0.0)
    weights = _WEIGHTS / _WEIGHTS.sum()
    # (pairs, games + 1): how likely each number of wins is, averaged over what the difference may be.
    likely = np.einsum("ikg,k->ig", _binomial(games, np.clip(chance, 1e-12, 1 - 1e-12)), weights)
    rows = np.arange(len(score))
    at_most = np.cumsum(likely, axis=1)
    at_least = np.cumsum(likely[:, ::-1], axis=1)[:, ::-1]
    high = at_least[rows, np.floor(score).astype(int)]
    low = at_most[rows, np.ceil(score).astype(int)]
    return games * (chance @ weights), np.minimum(2 * np.minimum(high, low), 1.0)


def _without_own(games: int, pairs: Sequence[Pair]) -> tuple[Floats, Floats]:
    """Return the rating difference of each pair, and its variance, without the pair's own games."""
    columns = [(pair.score, pair.difference, pair.variance_one, pair.variance_other) for pair in pairs]
    score, difference, one, other = np.array(columns).T
    chance = expected_score(difference, 0.0)
    weight = games * Q**2 * chance * (1 - chance)
    determinant = (1 + np.sqrt(1 + 4 * one * other * weight**2)) / (2 * one * other)
    # Who has met hardly anybody else is known by the prior alone.
    rest = [np.maximum(determinant * variance - weight, 1 / PRIOR_SD**2) for variance in (other, one)]
    variance = 1 / rest[0] + 1 / rest[1]
    return difference - variance * Q * (score - games * chance), variance


def _binomial(games: int, chance: Floats) -> Floats:
    """Return the chance of 0 .. ``games`` wins, on a new last axis."""
    wins = np.arange(games + 1)
    factorials = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, games + 1)))])
    ways = factorials[games] - factorials - factorials[::-1]
    likely: Floats = np.exp(ways + wins * np.log(chance)[..., None] + (games - wins) * np.log1p(-chance)[..., None])
    return likely
