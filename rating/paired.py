"""A sequential test (SPRT) whether one version is better than another, on pairs of matches.

The two matches of a pair have the same seed and swapped seats. The score of a pair is the mean of their scores: 0, 1/4,
1/2, 3/4 or 1, hence *pentanomial*. The advantage that a seed gives to a seat cancels within a pair, so that pairs tell
more than as many single matches.

Two tests run on the same pairs, "+20 Elo or 0?" and "-20 Elo or 0?" (three hypotheses as in Sobel & Wald,
"A sequential decision procedure for choosing one of three hypotheses concerning the unknown mean of a normal
distribution", 1949). Each is a generalised sequential probability ratio test: the unknown variance of a pair is
estimated as the test goes on, and the logarithm of the likelihood ratio is that of a normal distribution,

    LLR = N (s1 - s0) (2 mean - s0 - s1) / (2 variance),   s(elo) = 1 / (1 + 10^(-elo / 400)),

see Van den Bergh, "A practical introduction to the GSPRT", 2019, and Wald, "Sequential Analysis", 1947, for the bounds
log(beta / (1 - alpha)) and log((1 - beta) / alpha).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from rating.fit import expected_score
from rating.orders import Floats

ELO_BETTER = 20.0
"""The difference in Elo points that the test looks for."""
ERROR = 0.05
"""The chance of calling equal versions different (alpha), and of missing a difference of ``ELO_BETTER`` (beta)."""
BOUND = float(np.log((1 - ERROR) / ERROR))
"""A difference is accepted when its LLR reaches this, and rejected when it reaches minus this."""
GAMES_MAX = 4_000
OUTCOMES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Possible scores of a pair."""
INTERVAL_SDS = 2.5
"""Half the width of the interval shown, in standard deviations. A series of fixed length would need 1.96, but a test
stops when its mean happens to be far from one of the hypotheses, so its estimate is further off. Simulations show that
with 2.5 the interval contains the true difference in about 95 % in the worst case, which is no difference."""
PSEUDO_PAIRS = 1.0
"""Imagined pairs of each outcome, added for the estimate of the variance: the first real pairs alone do not tell it."""


class State(StrEnum):
    """What a test has found about the candidate."""

    RUNNING = "running"
    BETTER = "better"
    """Better by ``ELO_BETTER`` rather than equal."""
    WORSE = "worse"
    """Worse by ``ELO_BETTER`` rather than equal."""
    NO_DIFFERENCE = "no_difference"
    """Equal rather than better or worse by ``ELO_BETTER``; or undecided after ``GAMES_MAX`` matches, which raises the
    chance of missing a difference of exactly ``ELO_BETTER`` from 5 to 7 %."""


@dataclass(frozen=True, slots=True)
class PairedVerdict:
    """The result of a test after some pairs. A decision is final: pairs after it are not counted."""

    state: State
    pairs: int
    """Number of pairs counted."""
    counts: tuple[int, ...]
    """How many pairs had each of the ``OUTCOMES``."""
    elo: float
    """Estimated difference in Elo points; a test that stops early overestimates it a little."""
    elo_low: float
    """Lower end of the interval of ``elo``, which contains the true difference in about 95 % of tests."""
    elo_high: float
    """Upper end of the interval."""
    llr_better: float
    """LLR of + ``ELO_BETTER`` against 0."""
    llr_worse: float
    """LLR of - ``ELO_BETTER`` against 0."""
    bound: float = BOUND

    @property
    def games(self) -> int:
        """Number of matches counted."""
        return 2 * self.pairs


def pair_score(first: Sequence[int], second: Sequence[int]) -> float:
    """Return the candidate's score in a pair, given (candidate's rank, opponent's rank) in each of its two matches."""
    points = [0.5 + 0.5 * ((own < other) - (own > other)) for own, other in (first, second)]
    return sum(points) / 2


def verdict(scores: Sequence[float], *, games_max: int = GAMES_MAX) -> PairedVerdict:
    """Return the result of the test after some pairs.

    Args:
        scores: the candidate's score in each pair, in the order in which the pairs were begun.
        games_max: after this many matches without a decision the result is "no difference".

    Raises:
        ValueError: a score is not among the ``OUTCOMES``; the sentence says which.
    """
    x = np.asarray(scores, dtype=np.float64)[: games_max // 2]
    if len(wrong := np.flatnonzero(~np.isin(x, OUTCOMES))):
        raise ValueError(f"The score of pair {wrong[0]} is {x[wrong[0]]}, not one of {OUTCOMES}.")
    better, worse = _llr(x, ELO_BETTER), _llr(x, -ELO_BETTER)
    state, used = _decision(better, worse, games_max // 2)
    last = used - 1
    llrs = (float(better[last]), float(worse[last])) if used else (0.0, 0.0)
    counts = tuple(int((x[:used] == outcome).sum()) for outcome in OUTCOMES)
    return PairedVerdict(state, used, counts, *_elo(x[:used]), *llrs)


def _llr(x: Floats, elo: float) -> Floats:
    """Return (N,): the logarithm of the likelihood ratio of a difference of ``elo`` against none, after each pair."""
    mean, variance, n = _moments(x)
    s0, s1 = 0.5, float(expected_score(elo, 0.0))
    return np.asarray(n * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance))


def _moments(x: Floats) -> tuple[Floats, Floats, Floats]:
    """Return (N,) each: the mean, the variance with ``PSEUDO_PAIRS``, and the number of pairs, after each pair."""
    n = np.arange(1, len(x) + 1, dtype=np.float64)
    outcomes = np.array(OUTCOMES)
    weight = n + PSEUDO_PAIRS * len(outcomes)
    first = (np.cumsum(x) + PSEUDO_PAIRS * outcomes.sum()) / weight
    second = (np.cumsum(x**2) + PSEUDO_PAIRS * (outcomes**2).sum()) / weight
    return np.cumsum(x) / n, second - first**2, n


def _decision(better: Floats, worse: Floats, pairs_max: int) -> tuple[State, int]:
    """Return the state of the test, and the number of pairs after which it was reached."""
    equal = (np.minimum.accumulate(better) <= -BOUND) & (np.minimum.accumulate(worse) <= -BOUND)
    crossings = {
        State.BETTER: _first((better >= BOUND) & (np.minimum.accumulate(better) > -BOUND)),
        State.WORSE: _first((worse >= BOUND) & (np.minimum.accumulate(worse) > -BOUND)),
        State.NO_DIFFERENCE: _first(equal),
    }
    decided = {state: after for state, after in crossings.items() if after is not None}
    if decided:
        return min(decided.items(), key=lambda found: found[1])
    return (State.NO_DIFFERENCE if len(better) >= pairs_max else State.RUNNING), len(better)


def _first(reached: NDArray[np.bool_]) -> int | None:
    """Return the number of pairs after which ``reached`` was True for the first time; None: never."""
    return int(np.argmax(reached)) + 1 if reached.any() else None


def _elo(x: Floats) -> tuple[float, float, float]:
    """Return the difference in Elo points and the ends of its interval.

    They stay finite if the candidate won or lost all pairs: scores are limited to those of all pairs but a quarter.
    """
    if not len(x):
        return 0.0, float("-inf"), float("inf")
    mean, variance, n = (float(values[-1]) for values in _moments(x))
    half = INTERVAL_SDS * np.sqrt(variance / n)
    edge = 1 / (4 * n + 4)
    ends = np.clip([mean, mean - half, mean + half], edge, 1 - edge)
    elo, low, high = (400 * np.log10(ends / (1 - ends))).tolist()
    return elo, low, high
