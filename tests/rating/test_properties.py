"""Properties of the fit that must hold for any set of results."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rating.fit import Fit, fit
from rating.model import Prior
from rating.orders import results_collect

BOTS = 6
Match = tuple[tuple[int, ...], tuple[int, ...]]


def places(strengths: list[int]) -> tuple[int, ...]:
    """Return the ranks of strengths; equals share the better place."""
    return tuple(1 + sum(other < own for other in strengths) for own in strengths)


@st.composite
def a_match(draw: st.DrawFn) -> Match:
    players = draw(st.permutations(range(BOTS)))[: draw(st.integers(2, 4))]
    return tuple(players), places([draw(st.integers(0, 2)) for _ in players])


seasons = st.lists(a_match(), max_size=25)
two_player_seasons = st.lists(a_match().filter(lambda match: len(match[0]) == 2), max_size=25)
few = settings(max_examples=40)


def fit_of(season: list[Match], **options: object) -> Fit:
    return fit(BOTS, results_collect(season), **options)  # type: ignore[arg-type]


def same(one: Fit, other: Fit) -> bool:
    """Return whether two fits are equal to the last bit."""
    pairs = ((one.rating, other.rating), (one.se, other.se), (one.seats, other.seats))
    return all(a.tobytes() == b.tobytes() for a, b in pairs)


@few
@given(seasons, st.randoms(use_true_random=False))
def test_the_order_of_matches_changes_no_bit(season: list[Match], random: st.Random) -> None:
    shuffled = random.sample(season, len(season))
    assert same(fit_of(season), fit_of(shuffled))


@few
@given(seasons, st.randoms(use_true_random=False))
def test_the_listing_of_players_changes_no_bit_where_seats_make_no_difference(
    season: list[Match], random: st.Random
) -> None:
    relisted = []
    for players, ranks in season:
        order = random.sample(range(len(players)), len(players))
        relisted.append((tuple(players[i] for i in order), tuple(ranks[i] for i in order)))
    prior = Prior(seat_sd=None)
    assert same(fit_of(season, prior=prior), fit_of(relisted, prior=prior))


@few
@given(seasons)
def test_only_the_order_of_ranks_matters(season: list[Match]) -> None:
    stretched = [(players, tuple(3 * rank + 1 for rank in ranks)) for players, ranks in season]
    assert same(fit_of(season), fit_of(stretched))


@few
@given(seasons, st.permutations(range(BOTS)))
def test_renumbering_the_bots_renumbers_their_ratings(season: list[Match], numbers: list[int]) -> None:
    renumbered = [(tuple(numbers[p] for p in players), ranks) for players, ranks in season]
    before, after = fit_of(season), fit_of(renumbered)
    assert after.rating[numbers] == pytest.approx(before.rating, abs=1e-2)
    assert after.se[numbers] == pytest.approx(before.se, abs=1e-2)


@few
@given(seasons)
def test_without_lineage_and_anchors_the_mean_stays(season: list[Match]) -> None:
    assert fit_of(season).rating.mean() == pytest.approx(1500.0, abs=1e-3)


@few
@given(seasons)
def test_seat_advantages_of_a_table_sum_to_zero(season: list[Match]) -> None:
    seats, begin = fit_of(season).seats, 0
    for m in sorted({len(players) for players, _ in season}):
        assert seats[begin : begin + m].sum() == pytest.approx(0.0, abs=1e-2)
        begin += m


@few
@given(two_player_seasons, st.sampled_from([(0, 1), (1, 0), (2, 5)]))
def test_a_win_never_lowers_the_winner_nor_raises_the_loser(season: list[Match], pair: tuple[int, int]) -> None:
    prior = Prior(seat_sd=None)
    before, after = fit_of(season, prior=prior), fit_of([*season, (pair, (1, 2))], prior=prior)
    winner, loser = pair
    assert after.rating[winner] >= before.rating[winner] - 1e-3
    assert after.rating[loser] <= before.rating[loser] + 1e-3


@few
@given(seasons, a_match())
def test_one_more_match_never_widens_an_interval_much(season: list[Match], match: Match) -> None:
    """At fixed ratings more matches always tell more, but a surprise may move ratings to where matches tell less."""
    before, after = fit_of(season), fit_of([*season, match])
    assert (after.se_posterior <= before.se_posterior * 1.1).all()


@few
@given(seasons)
def test_fits_are_finite_and_no_error_is_above_the_priors(season: list[Match]) -> None:
    answer = fit_of(season)
    assert np.isfinite(answer.rating).all()
    assert (answer.se_posterior <= 350.0 + 1e-6).all()
    assert (answer.se >= 0).all()
