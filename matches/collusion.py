"""The statistics of the collusion report: which pairs have results that their ratings do not explain.

What a pair should score is what both have shown against others. So their own games are first removed from the ratings
(one step of case deletion, Cook & Weisberg, "Residuals and Influence in Regression", 1982). With the difference d of
the ratings, the score S in n games, its expectation n E, E = 1 / (1 + 10^(-d / 400)) and Q = ln 10 / 400, the games tie
the two with the weight w = n Q^2 E (1 - E). Let a and b be what all other games tell of each, so that the inverse of
[[a + w, -w], [-w, b + w]] has the variances of the two ratings on its diagonal. Then without the games the variance of
the difference is V' = 1 / a + 1 / b, and d' = d - V' Q (S - n E).

A pair is two bots, not two versions, since an owner who colludes could upload a new version before any two versions
have met often. Each two versions that met have a d' of their own. The ratings of neighbouring versions still contain
the pair's other games, which hides a little of a collusion and accuses nobody. The pair should score the sum. Its error
is the mean of the versions' errors, weighted by games, with the variance V'. Errors of a bot's versions are correlated:
the lineage ties a version to the next with the weight l = 1 / LINEAGE_SD^2, so by the same two-by-two inverse with l
for w their correlation is 2 x / (1 + sqrt(1 + 4 x^2)), x = l times both standard errors, and along the chain of
versions it is the product (Lauritzen, "Graphical Models", 1996).

The p-value is predictive (Rubin, "Bayesianly justifiable and relevant frequency calculations", 1984): the tail of the
binomial distribution with the mean chance of the games at the differences d' + x, averaged over x ~ N(0, V' +
STYLE_SD^2), both sides. Games of unequal chances spread less than that (Hoeffding, "On the distribution of the number
of successes in independent trials", 1956), and a draw, half a point, counts as the less extreme whole one: both make
the tail larger than it is, never smaller. Of many pairs some look odd by chance, so what is reported is the false
discovery rate (Benjamini & Hochberg, 1995).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rating.fit import expected_score
from rating.model import LINEAGE_SD, PRIOR_SD, Q

Floats = NDArray[np.float64]

STYLE_SD = 75.0
"""Elo points by which a pair may differ from what ratings say without any arrangement: some styles suit each other."""
GAMES_MIN = 6
"""Pairs with fewer games are not tested: they could never be found, and would cost the test of others power."""
RATE = 0.05
"""This share of the reported pairs may be reported by chance (false discovery rate)."""
_NODES, _WEIGHTS = np.polynomial.hermite_e.hermegauss(32)
_PAIRS_AT_ONCE = 500


class Rated(NamedTuple):
    """The rating of a version and its error."""

    rating: float
    """Elo points."""
    variance: float
    """Variance of the rating, Elo points squared."""
    place: float = 0.0
    """Position in the chain of its bot's versions: the errors of two versions have the correlation e^-distance."""


class Meeting(NamedTuple):
    """Two versions and their games against each other."""

    one: Rated
    other: Rated
    games: int
    score: float
    """Points of ``one``; a draw is half a point."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two bots and what their versions have played against each other."""

    one: int
    other: int
    meetings: Sequence[Meeting]
    """At least one meeting, each with the version of bot ``one`` first."""

    @property
    def games(self) -> int:
        """How many games the two bots have played against each other."""
        return sum(meeting.games for meeting in self.meetings)

    @property
    def score(self) -> float:
        """Points of ``one``; a draw is half a point."""
        return sum(meeting.score for meeting in self.meetings)


@dataclass(frozen=True, slots=True)
class Finding:
    """A pair whose results its ratings do not explain."""

    pair: Pair
    expected: float
    """The score of ``one`` that both bots' results against others predict."""
    p_value: float
    """Chance of a score that far from ``expected``, or farther, for one honest pair."""
    q_value: float
    """Expected share of honest pairs among all pairs with this p-value or a smaller one."""


def placed(versions: Iterable[tuple[float, float]]) -> list[Rated]:
    """Return the versions of a bot with their places in its chain of versions.

    Args:
        versions: rating and standard error of each, from the first to the last.
    """
    rated: list[Rated] = []
    for rating, error in versions:
        place = rated[-1].place - math.log(_correlation(rated[-1].variance, error**2)) if rated else 0.0
        rated.append(Rated(rating, error**2, place))
    return rated


def _correlation(one: float, other: float) -> float:
    """Return the correlation between the errors of a version and of the next, given their variances."""
    tie = math.sqrt(one * other) / LINEAGE_SD**2
    return 2 * tie / (1 + math.sqrt(1 + 4 * tie**2))


def collusion_findings(pairs: Sequence[Pair], *, rate: float = RATE) -> list[Finding]:
    """Return the pairs whose results their ratings do not explain, the most improbable first.

    Args:
        pairs: all pairs that are examined, not a selection, or the rate means nothing. Those with fewer than
            ``GAMES_MIN`` games are left out.
        rate: the highest false discovery rate of the answer.
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
    """Return the q-value of each of m p-values: the least p' m / rank(p') over all p' >= p."""
    count = len(p_values)
    order = np.argsort(p_values, kind="stable")
    scaled = p_values[order] * count / np.arange(1, count + 1)
    q_values = np.empty(count)
    q_values[order] = np.minimum(np.minimum.accumulate(scaled[::-1])[::-1], 1.0)
    return q_values


def _judged(pairs: Sequence[Pair]) -> tuple[Floats, Floats]:
    """Return expected scores and p-values, (pairs,) each; pairs with equally many games are computed together."""
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
    chance = _mean_chances(games, pairs)
    weights = _WEIGHTS / _WEIGHTS.sum()
    # (pairs, games + 1): how likely each number of wins is, averaged over what the difference may be.
    likely = np.einsum("ikg,k->ig", _binomial(games, np.clip(chance, 1e-12, 1 - 1e-12)), weights)
    rows = np.arange(len(score))
    at_most = np.cumsum(likely, axis=1)
    at_least = np.cumsum(likely[:, ::-1], axis=1)[:, ::-1]
    high = at_least[rows, np.floor(score).astype(int)]
    low = at_most[rows, np.ceil(score).astype(int)]
    return games * (chance @ weights), np.minimum(2 * np.minimum(high, low), 1.0)


def _mean_chances(games: int, pairs: Sequence[Pair]) -> Floats:
    """Return the mean chance of ``one`` in each pair's games at each of the 32 quadrature nodes: (pairs, 32)."""
    meetings = [meeting for pair in pairs for meeting in pair.meetings]
    counts = [len(pair.meetings) for pair in pairs]
    begins = np.cumsum([0, *counts[:-1]])
    share = np.array([meeting.games for meeting in meetings]) / games
    difference, errors = _without_own(meetings)
    places = np.array([(meeting.one.place, meeting.other.place) for meeting in meetings])
    variance = np.zeros(len(pairs))
    for side in (0, 1):
        of_pairs = (np.split(column[:, side], begins[1:]) for column in (places, share[:, None] * errors))
        variance += [_variance_of_sum(*of_pair) for of_pair in zip(*of_pairs, strict=True)]
    spread = np.repeat(np.sqrt(variance + STYLE_SD**2), counts)
    chance = expected_score(difference[:, None] + spread[:, None] * _NODES, 0.0)
    return np.asarray(np.add.reduceat(share[:, None] * chance, begins))


def _variance_of_sum(places: Floats, errors: Floats) -> float:
    """Return the variance of the sum of the errors of versions of one bot, given as standard deviations."""
    total = behind = before = 0.0
    for place, error in sorted(zip(places.tolist(), errors.tolist(), strict=True)):
        behind *= math.exp(before - place)
        total += error * (error + 2 * behind)
        behind, before = behind + error, place
    return total


def _without_own(meetings: Sequence[Meeting]) -> tuple[Floats, Floats]:
    """Return the rating differences of meetings without their own games, and both standard errors: (m,), (m, 2)."""
    columns = [(m.games, m.score, m.one.rating - m.other.rating, m.one.variance, m.other.variance) for m in meetings]
    games, score, difference, one, other = np.array(columns).T
    chance = expected_score(difference, 0.0)
    weight = games * Q**2 * chance * (1 - chance)
    determinant = (1 + np.sqrt(1 + 4 * one * other * weight**2)) / (2 * one * other)
    # A version that has met hardly any other is known by the prior alone.
    rest = [np.maximum(determinant * variance - weight, 1 / PRIOR_SD**2) for variance in (other, one)]
    variances = 1 / np.stack(rest, axis=1)
    return difference - variances.sum(axis=1) * Q * (score - games * chance), np.sqrt(variances)


def _binomial(games: int, chance: Floats) -> Floats:
    """Return the chance of 0 .. ``games`` wins, on a new last axis."""
    wins = np.arange(games + 1)
    factorials = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, games + 1)))])
    ways = factorials[games] - factorials - factorials[::-1]
    likely: Floats = np.exp(ways + wins * np.log(chance)[..., None] + (games - wins) * np.log1p(-chance)[..., None])
    return likely
