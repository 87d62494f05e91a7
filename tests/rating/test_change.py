"""The estimated change by one result is compared with the formula for two players, and with fits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rating.change import changes
from rating.fit import expected_score, fit
from rating.orders import results_collect

Q = np.log(10) / 400


@pytest.mark.parametrize(("ranks", "score"), [((1, 2), 1.0), ((2, 1), 0.0), ((1, 1), 0.5)])
def test_for_two_players_it_is_variance_times_surprise(ranks: tuple[int, int], score: float) -> None:
    rating, se = np.array([1_600.0, 1_500.0]), np.array([40.0, 90.0])
    surprise = score - float(expected_score(1_600.0, 1_500.0))
    assert changes(rating=rating, se=se, ranks=ranks) == pytest.approx([Q * 1_600 * surprise, -Q * 8_100 * surprise])


@settings(max_examples=50)
@given(st.lists(st.integers(1, 4), min_size=2, max_size=4), st.integers(0, 99))
def test_changes_sum_to_zero_and_ties_of_equals_change_nothing(places: list[int], seed: int) -> None:
    ranks = [1 + sum(other < place for other in places) for place in places]
    rating = np.random.default_rng(seed).normal(1_500, 200, len(ranks))
    assert changes(rating=rating, se=np.ones(len(ranks)), ranks=ranks).sum() == pytest.approx(0, abs=1e-9)
    tie = changes(rating=np.full(len(ranks), 1_500.0), se=np.ones(len(ranks)), ranks=[1] * len(ranks))
    assert tie == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize(("players", "count"), [(2, 600), (4, 200)])
def test_it_is_about_the_difference_between_fits_with_and_without_the_match(players: int, count: int) -> None:
    rng = np.random.default_rng(players)
    strength = rng.normal(1_500, 200, 20)
    matches = []
    for _ in range(count):
        seats = rng.choice(20, players, replace=False)
        luck = strength[seats] + rng.gumbel(0, 1 / Q, players)
        matches.append((seats.tolist(), (1 + (luck[:, None] < luck).sum(axis=1)).tolist()))
    whole, estimated, true = fit(20, results_collect(matches)), [], []
    for left_out, (seats, ranks) in enumerate(matches[:20]):
        without = fit(20, results_collect(matches[:left_out] + matches[left_out + 1 :]))
        estimated += changes(rating=without.rating[seats], se=whole.se[seats], ranks=ranks).tolist()
        true += (whole.rating - without.rating)[seats].tolist()
    assert np.corrcoef(estimated, true)[0, 1] > 0.99
    assert np.std(estimated) / np.std(true) == pytest.approx(1, abs=0.05)
