"""New results on top of a full fit come to what a full fit of all of them gives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rating import Fit, Prior, Results, fit
from rating.bench import _season
from rating.fit import STEP_END, fit_orders
from rating.incremental import FAR, Running
from rating.orders import orders_of

BOTS = 60


def a_season(*, players: int, matches: int = 6_000) -> Results:
    return _season(BOTS, matches, players, np.random.default_rng(players))


def of_rows(season: Results, rows: slice) -> Results:
    return Results(season.players[rows], season.ranks[rows])


def running_of(results: list[Results], **options: Any) -> Running:
    return Running(BOTS, orders_of(results, bots=BOTS, seated=True), options.pop("prior", Prior()), **options)


def assert_near(one: Fit, other: Fit) -> None:
    assert one.rating == pytest.approx(other.rating, abs=STEP_END)
    assert one.seats == pytest.approx(other.seats, abs=STEP_END)
    assert one.se == pytest.approx(other.se, rel=0.01)
    assert one.se_posterior == pytest.approx(other.se_posterior, rel=0.01)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("dense_max", [0, 1_500])
def test_it_is_near_the_full_fit(players: int, dense_max: int) -> None:
    season, declared = a_season(players=players), {3: 1_400.0, 5: 1_700.0}
    known, news = of_rows(season, slice(300, None)), of_rows(season, slice(300))
    running = running_of([known], anchors=declared, dense_max=dense_max)
    whole = fit(BOTS, [season], anchors=declared, dense_max=dense_max)
    assert np.abs(whole.rating - running.fit.rating).max() > 10 * STEP_END, "the news tell something"
    assert_near(running.with_more([news]), whole)


def test_tables_of_different_sizes_are_taken_in_together() -> None:
    two, four = a_season(players=2), a_season(players=4)
    running = running_of([of_rows(two, slice(300, None)), of_rows(four, slice(100, None))])
    more = running.with_more([of_rows(two, slice(300)), of_rows(four, slice(100))])
    assert_near(more, fit(BOTS, [two, four]))


def test_a_bot_that_moves_far_is_evaluated_anew() -> None:
    """Where the parabola ends: bot 0 has lost ten times to its like, and now wins fifty times."""
    season = a_season(players=2)
    stranger = BOTS - 1
    season = of_rows(season, (season.players != stranger).all(axis=1))  # type: ignore[arg-type]
    rival = int(np.argmax(fit(BOTS, [season]).rating))
    lost = Results(np.array([[stranger, rival]] * 10), np.array([[2, 1]] * 10))
    won = Results(np.array([[stranger, rival]] * 50), np.array([[1, 2]] * 50))
    running = running_of([season, lost])
    more = running.with_more([won])
    assert more.rating[stranger] - running.fit.rating[stranger] > 20 * FAR
    assert_near(more, fit(BOTS, [season, lost, won]))


def test_a_seat_that_moves_far_is_evaluated_anew() -> None:
    """Between two equal bots seat 1 has won most matches, and now seat 0 wins: no bot moves."""
    encounter = [[0, 1], [1, 0]]
    known = Results(np.array(encounter * 10), np.array([[2, 1]] * 16 + [[1, 2]] * 4))
    news = Results(np.array(encounter * 5), np.array([[1, 2]] * 10))
    running = Running(2, orders_of([known], bots=2, seated=True), Prior())
    whole = fit(2, [known, news])
    assert np.abs(whole.rating - running.fit.rating).max() < FAR < np.abs(whole.seats - running.fit.seats).max()
    assert_near(running.with_more([news]), whole)


def test_who_never_played_and_who_inherits_are_taken_in() -> None:
    season = a_season(players=2)
    prior = Prior.of_parents(BOTS, {7: 3})
    idle = (season.players != 7).all(axis=1) & (season.players != 8).all(axis=1)
    running = running_of([Results(season.players[idle], season.ranks[idle])], prior=prior)
    more = running.with_more([Results(season.players[~idle], season.ranks[~idle])])
    assert_near(more, fit(BOTS, [season], prior))


def test_nothing_new_changes_nothing() -> None:
    running = running_of([a_season(players=2)])
    assert_near(running.with_more([]), running.fit)


def test_nothing_is_kept_of_what_was_new() -> None:
    season = a_season(players=2)
    running = running_of([of_rows(season, slice(300, None))])
    once, again = (running.with_more([of_rows(season, slice(300))]) for _ in range(2))
    assert once.rating.tobytes() == again.rating.tobytes()


def test_its_full_fit_is_the_full_fit() -> None:
    """To the last bit."""
    season = a_season(players=4)
    tables = orders_of([season], bots=BOTS, seated=True)
    full = fit_orders(BOTS, tables, Prior(), anchors={})
    running = Running(BOTS, tables, Prior())
    assert running.fit.rating.tobytes() == full.rating.tobytes()
    assert running.fit.se.tobytes() == full.se.tobytes()


def test_the_first_match_of_a_table_size_needs_a_full_fit() -> None:
    running = running_of([a_season(players=2)])
    with pytest.raises(ValueError, match="of 3 players"):
        running.with_more([a_season(players=3)])
    with pytest.raises(ValueError, match="against itself"):
        running.with_more([Results(np.array([[1, 1]]), np.array([[1, 2]]))])
