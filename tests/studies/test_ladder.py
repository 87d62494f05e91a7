"""The simulation of the ladder: matchmaking, fit and intervals work together."""

from __future__ import annotations

from tests.studies.ladder import study


def test_ratings_approach_the_true_ones_and_intervals_contain_them() -> None:
    lines = list(study(bots=60, matches_per_bot=40, seed=3))
    taus = [line["tau"] for line in lines]
    assert taus == sorted(taus), "the more matches, the better the order"
    assert taus[-1] > 0.75
    assert all(0.85 <= line["coverage"] <= 1.0 for line in lines), "of 60 bots, where 0.95 is meant"
    assert lines[-1]["rmse"] < 80


def test_a_seed_gives_the_same_study() -> None:
    assert list(study(bots=8, matches_per_bot=10, seed=1)) == list(study(bots=8, matches_per_bot=10, seed=1))
