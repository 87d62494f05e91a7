"""The statistics of collusion: planted pairs are found, honest ones hardly ever."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from math import comb

import numpy as np
import pytest

from matches.collusion import (
    GAMES_MIN,
    Floats,
    Meeting,
    Pair,
    Rated,
    _variance_of_sum,
    benjamini_hochberg,
    collusion_findings,
    placed,
)
from rating.fit import expected_score, fit
from rating.model import LINEAGE_SD, Prior
from rating.orders import results_collect
from tests.studies.ladder import CYCLE

pytestmark = pytest.mark.test_all

BOTS = 40
MEETINGS = 20
"""Games of each pair of neighbours."""


def league(seed: int, *, planted: int = 0, versions: int = 1) -> list[Pair]:
    """Play a league of bots whose styles suit each other more or less, and rate it.

    Args:
        seed: of the dice.
        planted: games that bot 1 loses to bot 0 on purpose.
        versions: of bots 1, 3, 5 .., one after the other, each as good as the one before.
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
    return paired(score, versions)


def paired(score: dict[tuple[int, int], list[float]], versions: int) -> list[Pair]:
    """Share the games of each pair among the versions of its bots, in turn, and rate these."""
    counts = [versions if bot % 2 else 1 for bot in range(BOTS)]
    first = [sum(counts[:bot]) for bot in range(BOTS)]
    parents = {first[bot] + n: first[bot] + n - 1 for bot in range(BOTS) for n in range(1, counts[bot])}
    met: dict[tuple[int, int], dict[tuple[int, int], list[float]]] = {pair: {} for pair in score}
    for (one, other), points in score.items():
        for n, point in enumerate(points):
            two = first[one] + n % counts[one], first[other] + n % counts[other]
            met[one, other].setdefault(two, []).append(point)
    ratings, errors = rated({two: points for of_pair in met.values() for two, points in of_pair.items()}, parents)
    shown = list(zip(ratings, errors, strict=True))
    known = [row for bot in range(BOTS) for row in placed(shown[first[bot] : first[bot] + counts[bot]])]
    return [
        Pair(
            *pair,
            [Meeting(known[one], known[other], len(points), sum(points)) for (one, other), points in rows.items()],
        )
        for pair, rows in met.items()
    ]


def rated(score: dict[tuple[int, int], list[float]], parents: Mapping[int, int]) -> tuple[Floats, Floats]:
    matches = [(pair, (1 + (p == 0), 1 + (p == 1))) for pair, points in score.items() for p in points]
    versions = 1 + max(max(pair) for pair in score)
    prior = dataclasses.replace(Prior.of_parents(versions, parents), seat_sd=None)
    found = fit(versions, results_collect(matches), prior)
    return found.rating, found.se


def single(games: int, score: float, difference: float, variance: float) -> Pair:
    """Return a pair of two bots with one version each."""
    return Pair(0, 1, [Meeting(Rated(difference, variance), Rated(0.0, variance), games, score)])


def test_a_planted_pair_is_found_among_honest_ones() -> None:
    found = [collusion_findings(league(seed, planted=40)) for seed in range(10)]
    planted = [bool(findings) and (findings[0].pair.one, findings[0].pair.other) == (0, 1) for findings in found]
    assert sum(planted) >= 8, "power"
    assert sum(len(findings) for findings in found) - sum(planted) <= 2, "and hardly anybody else"


def test_new_versions_hide_nobody() -> None:
    found = [collusion_findings(league(seed, planted=60, versions=12)) for seed in range(10)]
    planted = [bool(findings) and (findings[0].pair.one, findings[0].pair.other) == (0, 1) for findings in found]
    assert sum(planted) >= 8, "though no two versions have met often enough to be tested"
    assert sum(len(findings) for findings in found) - sum(planted) <= 2


@pytest.mark.parametrize("versions", [1, 10])
def test_honest_pairs_are_hardly_ever_accused(versions: int) -> None:
    accused = [len(collusion_findings(league(seed, versions=versions))) for seed in range(100, 120)]
    assert sum(count > 0 for count in accused) <= 2, "in at most one league of ten"


def test_errors_of_versions_are_as_alike_as_lineage_makes_them() -> None:
    known = np.array([1 / 90**2, 1 / 300**2, 1 / 40**2, 1 / 150**2])
    ties = np.diag([1.0, 2.0, 2.0, 1.0]) - np.eye(4, k=1) - np.eye(4, k=-1)
    covariance = np.linalg.inv(np.diag(known) + ties / LINEAGE_SD**2)
    errors, share = np.sqrt(covariance.diagonal()), np.array([0.1, 0.4, 0.3, 0.2])
    places = np.array([version.place for version in placed((1500.0, error) for error in errors)])
    for order in ([0, 1, 2, 3], [2, 0, 3, 1]):
        variance = _variance_of_sum(places[order], (share * errors)[order])
        assert variance == pytest.approx(share @ covariance @ share)


def test_a_finding_tells_what_was_expected_without_the_planted_games() -> None:
    found = [finding for seed in range(10) for finding in collusion_findings(league(seed, planted=40))[:1]]
    assert found
    for finding in found:
        assert finding.pair.score - finding.expected > 5
        assert finding.p_value <= finding.q_value < 0.05


def test_a_sure_difference_gives_the_tail_of_the_binomial(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("matches.collusion.STYLE_SD", 0.0)
    monkeypatch.setattr("matches.collusion._without_own", lambda meetings: (np.zeros(1), np.zeros((1, 2))))
    for score, far in ((18.0, 18), (17.5, 17), (2.0, 18), (2.5, 17)):
        (finding,) = collusion_findings([single(20, score, 0.0, 1e-9)], rate=1.0)
        assert finding.p_value == pytest.approx(2 * sum(comb(20, k) for k in range(far, 21)) / 2**20)
        assert finding.expected == pytest.approx(10.0)


def test_two_bots_that_met_only_each_other_are_not_suspicious() -> None:
    ratings, errors = rated({(0, 1): [1.0] * 50}, {})
    (finding,) = collusion_findings([single(50, 50.0, ratings[0] - ratings[1], errors[0] ** 2)], rate=1.0)
    assert finding.p_value > 0.01


def test_few_games_are_not_tested() -> None:
    assert collusion_findings([single(GAMES_MIN - 1, 0.0, 800.0, 1.0)], rate=1.0) == []
    assert collusion_findings([]) == []


def test_the_rate_is_that_of_benjamini_and_hochberg() -> None:
    p = np.array([0.01, 0.04, 0.03, 0.005, 0.9])
    assert benjamini_hochberg(p) == pytest.approx([0.025, 0.05, 0.05, 0.025, 0.9])


def test_a_thousand_games_break_nothing() -> None:
    (finding,) = collusion_findings([single(2_000, 2_000.0, -300.0, 20.0**2)], rate=1.0)
    assert 0 <= finding.p_value <= 1
