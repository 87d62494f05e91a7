"""Improbable pairs: planted ones are found, honest ones hardly ever."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest

from ladder.rating import Prior, expected_score, fit, results_collect
from matches.improbable import GAMES_MIN, Floats, Pair, benjamini_hochberg, improbable
from matches.study import CYCLE

BOTS = 40
MEETINGS = 20
"""Of each of the pairs of neighbours."""


def league(seed: int, *, planted: int = 0) -> list[Pair]:
    """Play a league of bots whose styles suit each other more or less, and rate it.

    Args:
        seed: of the dice.
        planted: games that bot 1 loses to bot 0 on purpose.
    """
    dice = np.random.default_rng(seed)
    strength = dice.normal(1_500, 200, BOTS)
    style = dice.uniform(0, 2 * np.pi, BOTS)
    score: dict[tuple[int, int], list[float]] = {}
    for one in range(BOTS):
        for step in range(1, 9):
            other = (one + step) % BOTS
            pair = (min(one, other), max(one, other))
            edge = CYCLE * np.sin(style[pair[0]] - style[pair[1]])
            chance = float(expected_score(strength[pair[0]] + edge, strength[pair[1]]))
            drawn = 0.2 * 4 * chance * (1 - chance)
            points = dice.choice([1.0, 0.5, 0.0], MEETINGS, p=[chance - drawn / 2, drawn, 1 - chance - drawn / 2])
            score[pair] = list(points)
    if planted:
        score[0, 1] = [1.0] * planted
    ratings, errors = rated(score)
    return [
        Pair(a, b, len(points), sum(points), ratings[a] - ratings[b], errors[a] ** 2, errors[b] ** 2)
        for (a, b), points in score.items()
    ]


def rated(score: dict[tuple[int, int], list[float]]) -> tuple[Floats, Floats]:
    matches = [(pair, (1 + (p == 0), 1 + (p == 1))) for pair, points in score.items() for p in points]
    found = fit(BOTS, results_collect(matches), Prior(seat_sd=None))
    return found.rating, found.se


def test_a_planted_pair_is_found_among_honest_ones() -> None:
    found = [improbable(league(seed, planted=40)) for seed in range(10)]
    planted = [bool(findings) and (findings[0].pair.one, findings[0].pair.other) == (0, 1) for findings in found]
    assert sum(planted) >= 8, "power"
    assert sum(len(findings) for findings in found) - sum(planted) <= 2, "and hardly anybody else"


def test_honest_pairs_are_hardly_ever_accused() -> None:
    accused = [len(improbable(league(seed))) for seed in range(100, 120)]
    assert sum(count > 0 for count in accused) <= 2, "in at most one league of ten"


def test_a_finding_tells_what_was_expected_without_the_planted_games() -> None:
    found = [finding for seed in range(10) for finding in improbable(league(seed, planted=40))[:1]]
    assert found
    for finding in found:
        assert finding.pair.score - finding.expected > 5
        assert finding.p_value <= finding.q_value < 0.05


def test_a_sure_difference_gives_the_tail_of_the_binomial(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("matches.improbable.STYLE_SD", 0.0)
    monkeypatch.setattr("matches.improbable._without_own", lambda _, pairs: (np.zeros(1), np.zeros(1)))
    for score, far in ((18.0, 18), (17.5, 17), (2.0, 18), (2.5, 17)):
        (finding,) = improbable([Pair(0, 1, 20, score, 0.0, 1e-9, 1e-9)], rate=1.0)
        assert finding.p_value == pytest.approx(2 * sum(comb(20, k) for k in range(far, 21)) / 2**20)
        assert finding.expected == pytest.approx(10.0)


def test_of_two_who_know_only_each_other_nothing_is_improbable() -> None:
    ratings, errors = rated({(0, 1): [1.0] * 50})
    pair = Pair(0, 1, 50, 50.0, ratings[0] - ratings[1], errors[0] ** 2, errors[1] ** 2)
    (finding,) = improbable([pair], rate=1.0)
    assert finding.p_value > 0.01


def test_few_games_are_not_tested() -> None:
    assert improbable([Pair(0, 1, GAMES_MIN - 1, 0.0, 800.0, 1.0, 1.0)], rate=1.0) == []
    assert improbable([]) == []


def test_the_rate_is_that_of_benjamini_and_hochberg() -> None:
    p = np.array([0.01, 0.04, 0.03, 0.005, 0.9])
    assert benjamini_hochberg(p) == pytest.approx([0.025, 0.05, 0.05, 0.025, 0.9])


def test_a_thousand_games_break_nothing() -> None:
    (finding,) = improbable([Pair(0, 1, 2_000, 2_000.0, -300.0, 20.0**2, 20.0**2)], rate=1.0)
    assert 0 <= finding.p_value <= 1
