"""The fit is compared with worked examples of independent packages through the command line; and its edge cases."""

from __future__ import annotations

import io
import json
import sys
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rating import orders as orders_module
from rating.__main__ import main
from rating.fit import NoFit, expected_score, fit, interval, is_provisional
from rating.model import Prior
from rating.orders import Results, canonical, results_collect

VECTORS = json.loads((Path(__file__).parent.parent / "vectors" / "rating" / "vectors.json").read_text())["vectors"]


TWO_WINS = [((0, 1), (1, 2)), ((1, 0), (2, 1))]
"""Bot 0 beats bot 1 from both seats."""


def type_in(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))


def ask(question: dict[str, Any], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return the command line's answer to a question on standard input."""
    type_in(json.dumps(question), monkeypatch)
    assert main(["fit"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("vector", VECTORS, ids=[vector["name"] for vector in VECTORS])
def test_worked_examples_hold(
    vector: dict[str, Any], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    answer, expected = ask(vector, capsys, monkeypatch), vector["expected"]
    assert answer["rating"] == pytest.approx(expected["rating"], abs=vector["tolerance_elo"])
    assert answer["se"] == pytest.approx(expected["se"], rel=0.005)
    assert (answer["seat"] is None) == (expected["seat"] is None)
    assert answer["seat"] == (expected["seat"] and pytest.approx(expected["seat"], abs=vector["tolerance_elo"]))


@pytest.mark.parametrize("seats", [*permutations(range(3)), (2, 0, 3, 1)], ids=str)
def test_players_may_be_listed_in_any_order_with_their_seats(
    seats: tuple[int, ...], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """``seats`` has the seat of each player, not the player on each seat; with two players these are the same."""
    players, ranks = list(range(len(seats))), [1 + player for player in range(len(seats))]
    with_seats = {"players": players, "ranks": ranks, "seats": seats}
    plain = {"players": [seats.index(seat) for seat in players], "ranks": [1 + seats.index(seat) for seat in players]}
    answers = [
        ask({"bots": 4, "prior": {"mean": 1500, "sd": 350, "seat_sd": 60}, "matches": [match]}, capsys, monkeypatch)
        for match in (with_seats, plain)
    ]
    assert answers[0] == answers[1]


def test_absent_priors_are_read(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    question = {
        "bots": 2,
        "prior": {"mean": [1600, None], "sd": [100, None], "seat_sd": None, "lineage": [[1, 0, 80]]},
        "matches": [],
    }
    assert ask(question, capsys, monkeypatch)["rating"] == pytest.approx([1600, 1600])


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("{", "truncated"),
        ("", "To fit a log, add --log."),
        ('{"bots": 2, "prior": {}, "matches": []}', "no prior"),
        ('{"bots": 2, "prior": {"mean": 0, "sd": 9}, "matches": [{"players": [0, 0], "ranks": [1, 2]}]}', "itself"),
        ('{"bots": 2, "prior": {"mean": 0, "sd": 9}, "matches": [{"players": [0, 1], "ranks": [1]}]}', "ranks"),
        (
            '{"bots": 2, "prior": {"mean": 0, "sd": 9}, "matches": [{"players": [0, 1], "ranks": [2, 2]}]}',
            "Match 0: `ranks`",
        ),
        (
            '{"bots": 2, "prior": {"mean": 0, "sd": 9},'
            ' "matches": [{"players": [0, 1], "ranks": [1, 2], "seats": [1, 1]}]}',
            "seats",
        ),
        ('{"bots": 2, "prior": {"mean": [0], "sd": 9}, "matches": []}', "prior.mean"),
        ('{"bots": 2, "prior": {"mean": NaN, "sd": 9}, "matches": []}', "`$.prior.mean`"),
        ('{"bots": 2, "prior": {"mean": 1e999, "sd": 9}, "matches": []}', "prior.mean"),
        ('{"bots": 2, "prior": {"mean": 0, "sd": 9, "lineage": [[1, 2, 80]]}, "matches": []}', "lineage"),
        ('{"bots": 100000000000, "prior": {"mean": 0, "sd": 9}, "matches": []}', "bots"),
        ('{"bots": 2, "prior": {"mean": 0, "sd": 9}, "matches": [{"players": [0], "ranks": [1]}]}', "Match 0: `pl"),
        ('{"bots": 2, "prior": {"mean": 0, "sd": [9, 1e308]}, "matches": []}', "prior.sd"),
        ('{"bots": 2, "prior": {"mean": 0, "sd": 1e-308}, "matches": []}', "prior.sd"),
        pytest.param('{"bots": 2, "x": ' + "[" * 100_000, "recursion", id="deep"),
    ],
)
def test_bad_questions_are_refused_in_words(
    question: str, sentence: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    type_in(question, monkeypatch)
    assert main(["fit"]) == 2
    assert sentence in capsys.readouterr().err


@pytest.mark.parametrize("few", [["--bots", "7"], ["--bots", "20", "--newcomers", "3"]])
def test_a_season_of_too_few_bots_is_refused_in_words(few: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "--matches-per-bot", "1", *few]) == 2
    assert "at least" in capsys.readouterr().err


def test_conjugate_gradients_agree_with_the_direct_solution() -> None:
    results, bots = a_season(bots=60, matches=900), 60
    direct, iterated = fit(bots, results), fit(bots, results, dense_max=0)
    assert iterated.rating == pytest.approx(direct.rating, abs=0.01)
    assert iterated.seats == pytest.approx(direct.seats, abs=0.01)


def test_a_fit_in_many_blocks_equals_one_in_a_single_block(monkeypatch: pytest.MonkeyPatch) -> None:
    results = a_season(bots=12, matches=100)
    whole = fit(12, results)
    monkeypatch.setattr(orders_module, "BLOCK", 7)
    assert fit(12, results).rating == pytest.approx(whole.rating, abs=1e-6)


def test_standard_errors_of_large_tables_are_near_the_exact_ones() -> None:
    bots = 300
    results = a_season(bots=bots, matches=30 * bots)
    exact, by_stars = fit(bots, results), fit(bots, results, dense_max=0)
    assert by_stars.se == pytest.approx(exact.se, rel=0.03)


def test_a_warm_start_ends_where_a_cold_one_does() -> None:
    results = a_season(bots=40, matches=600)
    cold = fit(40, results, anchors={0: 1200.0})
    noise = np.random.default_rng(1).normal(0, 400, 40)
    warm = fit(40, results, anchors={0: 1200.0}, start=cold.rating + noise)
    assert warm.rating == pytest.approx(cold.rating, abs=0.01)
    assert warm.se == pytest.approx(cold.se, rel=1e-4)


def test_a_bot_without_matches_widens_no_other_interval() -> None:
    """In a small arena, one upload widened all intervals so far that all bots lost their ranks."""
    even = [((i, j), ranks) for i in range(6) for j in range(6) if i != j for ranks in ((1, 2), (2, 1))]
    settled = fit(6, results_collect(even * 5))
    joined = fit(8, results_collect(even * 5))
    assert interval(settled.se.max()) < 70
    assert (joined.se[:6] < 1.15 * settled.se).all()
    assert (joined.se[6:] > 300).all()


def test_anchors_shift_the_scale_and_change_nothing_else() -> None:
    results = a_season(bots=12, matches=100)
    free, anchored = fit(12, results), fit(12, results, anchors={3: 1000.0, 7: 1400.0})
    assert anchored.rating[[3, 7]].mean() == pytest.approx(1200.0)
    assert np.ptp(anchored.rating - free.rating) == pytest.approx(0.0, abs=1e-9)
    moved = fit(12, results, anchors={3: 1050.0, 7: 1450.0})
    assert moved.rating - anchored.rating == pytest.approx(np.full(12, 50.0))


def test_a_crushing_record_stays_finite() -> None:
    results = results_collect([((0, 1), (1, 2)), ((1, 0), (2, 1))] * 5_000)
    answer = fit(3, results)
    assert np.isfinite(answer.rating).all()
    assert np.isfinite(answer.se).all()
    assert answer.rating[0] > 2_000 > 1_000 > answer.rating[1]


def test_a_bot_without_matches_has_its_prior_and_a_new_version_inherits_and_widens() -> None:
    fresh = fit(3, results_collect(TWO_WINS))
    assert (fresh.rating[2], fresh.se_posterior[2]) == (pytest.approx(1500.0), pytest.approx(350.0))
    child = fit(3, results_collect(TWO_WINS * 20), Prior.of_parents(3, {2: 0}))
    assert child.rating[2] == pytest.approx(child.rating[0])
    assert child.se_posterior[2] ** 2 == pytest.approx(child.se_posterior[0] ** 2 + 80.0**2)


def test_a_bot_without_any_prior_is_named() -> None:
    with pytest.raises(NoFit, match="Bot 2"):
        fit(3, results_collect(TWO_WINS), Prior(sd=np.array([350.0, 350.0, np.inf])))


def test_no_bots_and_no_matches_are_a_table_too() -> None:
    assert fit(0, []).rating.tolist() == []
    assert fit(2, []).rating == pytest.approx(1500.0)


def test_centring_removes_the_common_uncertainty() -> None:
    """The differences between the bots are well known, but not where they all lie on the prior's scale."""
    answer = fit(10, a_season(bots=10, matches=2_000))
    assert (answer.se_posterior > 100).all()
    assert (answer.se < 25).all()


def test_a_hundred_even_elo_points_take_46_even_games() -> None:
    """The least by Fisher's information, against an opponent of known rating; ± 50 takes four times as many."""
    prior = Prior(sd=np.array([1e5, 1e-3]), seat_sd=None)
    for games, wanted in ((46, 100.0), (185, 50.0)):
        tied = Results(np.array([[0, 1]] * games), np.array([[1, 1]] * games))
        assert interval(fit(2, [tied], prior).se_posterior[0]) == pytest.approx(wanted, rel=0.01)


def test_orders_whose_sort_key_exceeds_64_bits_are_sorted_correctly() -> None:
    """Four numbers below 100,000 do not fit into 64 bits."""
    few = Results(np.array([[0, 1, 2, 3], [3, 2, 1, 0], [0, 1, 2, 3], [2, 0, 3, 1]]), np.array([[1, 2, 3, 4]] * 4))
    many = Results(few.players * 33_000, few.ranks)
    (small,), (large,) = canonical(few, bots=4, seated=True), canonical(many, bots=100_000, seated=True)
    assert (small.players * 33_000).tolist() == large.players.tolist()
    assert large.weights.tolist() == [2.0, 1.0, 1.0]


@pytest.mark.parametrize(
    ("players", "words"),
    [((0, 1, 2, 3, 4), "not 5"), ((0,), "not 1"), ((0, 5), "0 to 4"), ((-1, 0), "0 to 4"), ((1, 2, 1), "itself")],
)
def test_impossible_matches_are_refused(players: tuple[int, ...], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        fit(5, results_collect([(players, range(1, len(players) + 1))]))


def test_few_matches_or_a_wide_interval_make_a_rating_provisional() -> None:
    assert interval(50.0) == pytest.approx(98.0)
    assert not is_provisional(50.0, 20)
    assert is_provisional(50.0, 19)
    assert is_provisional(52.0, 500)


def test_expected_score_is_elos() -> None:
    assert expected_score(1900.0, 1500.0) == pytest.approx(10 / 11)


def a_season(*, bots: int, matches: int) -> list[Results]:
    """Return random matches, a few of them ties."""
    rng = np.random.default_rng(7)
    strength = rng.normal(0, 250, bots)
    season = []
    for _ in range(matches):
        pair = rng.choice(bots, 2, replace=False)
        won = rng.random() < expected_score(strength[pair[0]], strength[pair[1]])
        season.append((pair.tolist(), (1, 1) if rng.random() < 0.1 else (1, 2) if won else (2, 1)))
    return results_collect(season)
