"""Matchmaking follows each of its rules."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rating.matchmaking import (
    CROWD,
    DAY_SECONDS,
    HOUSE_SETTLED_GAMES,
    IN_FLIGHT_MAX,
    OVERDUE_SECONDS,
    ROUGH_GAMES,
    SETTLED_GAMES,
    TOP_SETTLED_GAMES,
    Candidate,
    Snapshot,
    choose,
    places_open,
    rotations,
)

NOW = 1e9


WIDE, SETTLING, SETTLED, SETTLED_AT_TOP = 350.0, 40.0, 20.0, 10.0
"""Standard errors before the first match, and of versions that are undecided, settled, and settled at the top; their
intervals are ± 686, ± 78, ± 39 and ± 20."""


def a_candidate(version: int, se: float = SETTLING, **fields: Any) -> Candidate:
    """Return a user's bot with a rating and an owner of its own, which has just played."""
    row = {"owner": version, "artifact": f"a{version}", "rating": 1500.0 + version, "games": 100, "waiting_since": NOW}
    return Candidate(version=version, se=se, **row | fields)


def pairs(
    candidates: list[Candidate],
    tables: int = 1,
    in_flight: list[tuple[int, ...]] | None = None,
    seed: int = 1,
    players: int = 2,
) -> list[tuple[int, ...]]:
    rng = np.random.default_rng(seed)
    return choose(Snapshot(candidates, in_flight or [], NOW), tables=tables, players=players, rng=rng)


def firsts(candidates: list[Candidate], draws: int = 200) -> Counter[int]:
    """Return how often the first encounter is chosen for each version."""
    return Counter(pairs(candidates, seed=seed)[0][0] for seed in range(draws))


def test_the_same_seed_gives_the_same_choice() -> None:
    crowd = [a_candidate(i) for i in range(30)]
    assert pairs(crowd, 10) == pairs(crowd, 10)
    assert pairs(crowd, 10) != pairs(crowd, 10, seed=2)


def test_an_encounter_is_played_from_all_seats() -> None:
    assert rotations((7, 3)) == [(7, 3), (3, 7)]
    seats = rotations((1, 2, 3, 4))
    assert all(sorted(column) == [1, 2, 3, 4] for column in zip(*seats, strict=True))


@pytest.mark.parametrize(
    "crowd",
    [
        [],
        [a_candidate(1)],
        [a_candidate(1, owner=5), a_candidate(2, owner=5)],
        [a_candidate(1, artifact="same"), a_candidate(2, artifact="same")],
    ],
    ids=["nobody", "one alone", "bots of one owner", "a program under two names"],
)
def test_who_never_meets(crowd: list[Candidate]) -> None:
    assert pairs(crowd, 5) == []


def test_a_pair_meets_once_at_a_time() -> None:
    two = [a_candidate(1), a_candidate(2)]
    assert len(pairs(two, 5)) == 1
    assert pairs(two, 5, in_flight=[(2, 1)]) == []
    assert pairs(two, in_flight=[(1, 99), (98, 99)]) != [], "versions that left while they play are no trouble"


def test_a_new_version_goes_first() -> None:
    crowd = [a_candidate(i, waiting_since=NOW - 60) for i in range(20)] + [a_candidate(20, WIDE, games=0)]
    assert pairs(crowd)[0][0] == 20


def test_at_a_table_of_four_all_four_matches_are_counted() -> None:
    crowd = [a_candidate(0, WIDE), *(a_candidate(i, SETTLED_AT_TOP) for i in range(1, 5))]
    others = (0, 97, 98, 99)
    assert [len(pairs(crowd, in_flight=[others] * matches, players=4)) for matches in (1, 2)] == [1, 0]


def test_a_new_version_has_at_most_five_matches_in_flight() -> None:
    crowd = [a_candidate(i, SETTLED_AT_TOP) for i in range(20)] + [a_candidate(20, WIDE, games=0)]
    encounters = len(pairs(crowd, 10))
    assert 2 * encounters <= IN_FLIGHT_MAX < 2 * encounters + 2


def test_a_newcomer_in_a_settled_league_meets_no_far_opponent() -> None:
    field = [a_candidate(i, SETTLED, rating=1000.0 + 50.0 * i) for i in range(21)]
    far = Counter[bool]()
    for field_se in (SETTLED, WIDE):
        crowd = [replace(bot, se=field_se) for bot in field]
        crowd[10] = replace(crowd[10], se=WIDE, games=0, waiting_since=NOW - 1_000)
        opponents = [pairs(crowd, seed=seed)[0][1] for seed in range(300)]
        far[field_se == WIDE] = sum(abs(opponent - 10) > 4 for opponent in opponents)
    assert far[False] < 5, "250 Elo points away the weight is three thousandths"
    assert 15 < far[True] < 75, "where all are new, a quarter of the draws is broad"


@pytest.mark.parametrize(("se", "games"), [(SETTLING, 100), (WIDE, 0)])
def test_waiting_counts_for_more_if_a_version_is_uncertain(se: float, games: int) -> None:
    """With half the standard error, an hour counts an eighth."""
    crowd = [a_candidate(i, SETTLED_AT_TOP) for i in range(9)]
    sure = a_candidate(10, se, games=games, waiting_since=NOW - 70)
    unsure = a_candidate(11, 2 * se, games=games, waiting_since=NOW - 10)
    if se == SETTLING:  # both undecided, neither a newcomer
        sure, unsure = replace(sure, se=26.0), replace(unsure, se=51.0)
    assert pairs([*crowd, sure, unsure])[0][0] == 11
    assert pairs([*crowd, replace(sure, waiting_since=NOW - 100), unsure])[0][0] == 10


@pytest.mark.parametrize(("se", "games"), [(SETTLING, 100), (WIDE, 0)])
def test_waiting_counts_for_more_in_a_crowd(se: float, games: int) -> None:
    crowd = [a_candidate(i, SETTLED_AT_TOP, rating=1500.0) for i in range(9)]
    among = a_candidate(10, se, rating=1500.0 + CROWD, games=games, waiting_since=NOW - 10)
    alone = a_candidate(11, se, rating=1501.0 + 2 * CROWD, games=games, waiting_since=NOW - 100)
    assert pairs([*crowd, among, alone])[0][0] == 10, "ten are within 100 points, with itself"
    assert pairs([*crowd, among, replace(alone, waiting_since=NOW - 120)])[0][0] == 11


def test_of_undecided_versions_those_with_a_rough_rating_wait_for_the_others() -> None:
    crowd = [a_candidate(i, rating=1500.0, waiting_since=NOW - 600) for i in range(9)]
    wide = a_candidate(9, 60.0, rating=1500.0, games=ROUGH_GAMES - 1)
    assert pairs([*crowd, wide])[0][0] == 9
    assert pairs([*crowd, replace(wide, games=ROUGH_GAMES)])[0][0] != 9, "it keeps a wide interval"
    assert pairs([*crowd, wide, a_candidate(10, WIDE, games=0)])[0][0] == 10, "first matches come before"


def test_open_places_are_those_of_the_board_and_newcomers_close_none() -> None:
    rating, width = np.array([1500.0, 1590.0, 1700.0, 1500.0]), np.array([50.0, 50.0, 50.0, 686.0])
    assert places_open(rating, width, np.full(4, True)).tolist() == [3, 3, 2, 4]
    assert places_open(rating, width, np.array([True, True, True, False])).tolist() == [2, 2, 1, 4]


@pytest.mark.parametrize("rating", [900.0, 2_400.0])
def test_whose_place_is_clear_gives_its_turn_up_however_wide_its_interval(rating: float) -> None:
    crowd = [a_candidate(i, SETTLED_AT_TOP, rating=1500.0 + 10 * i) for i in range(30)]
    clear = a_candidate(99, 150.0, rating=rating, games=40)
    assert pairs([*crowd, clear], 5) == []
    assert pairs([*crowd, replace(clear, games=19)])[0][0] == 99, "its first matches come first"
    near = replace(clear, rating=1_300.0 if rating < 1_500 else 2_000.0)
    assert pairs([*crowd, near])[0][0] == 99
    (pair,) = pairs([*crowd, replace(clear, waiting_since=NOW - DAY_SECONDS - 1)])
    assert pair[0] == 99, "it goes on with a match a day"


def test_a_newcomer_opens_no_place_that_is_clear() -> None:
    crowd = [a_candidate(i, SETTLED_AT_TOP, rating=1500.0 + 10 * i) for i in range(30)]
    clear, newcomer = a_candidate(99, 150.0, rating=900.0, games=40), a_candidate(50, WIDE, games=0)
    assert {pair[0] for pair in pairs([*crowd, clear, newcomer], 5)} == {50}


def test_a_quarter_of_the_opponents_is_drawn_from_far_and_near() -> None:
    crowd = [a_candidate(i, SETTLED_AT_TOP, rating=1000.0 + 10 * i) for i in range(101)]
    crowd[50] = replace(crowd[50], se=SETTLING)
    far = sum(abs(a - b) > 20 for a, b in (pairs(crowd, seed=seed)[0] for seed in range(600)))
    assert 0.1 < far / 600 < 0.18, "60 % of all others are so far away, half of the weight, and a quarter is drawn so"


def test_of_two_equally_near_opponents_the_less_certain_is_met_more_often() -> None:
    crowd = [a_candidate(0, SETTLING, rating=1500.0)]
    crowd += [a_candidate(i, 45.0 if i % 2 else 15.0, rating=1500.0, games=800) for i in range(1, 41)]
    met = Counter(pairs(crowd, seed=seed)[0][1] % 2 for seed in range(600))
    assert 0.62 < met[1] / 600 < 0.76, "1/4 of 1/2 and 3/4 of 45 / (45 + 15) are 0.69"


@pytest.mark.parametrize("players", [2, 4])
def test_new_opponents_are_preferred_to_old_ones(players: int) -> None:
    crowd = [a_candidate(0, WIDE, rating=1500.0, games=0)]
    crowd += [a_candidate(i, SETTLED, rating=1500.0, games=800) for i in range(1, 21)]
    asked = []

    def matches_with(version: int) -> dict[int, int]:
        asked.append(version)
        return dict.fromkeys(range(1, 11), 2 * players) | {99: 7}

    snapshot = replace(Snapshot(crowd, [], NOW), matches_with=matches_with)
    met = Counter[int]()
    for seed in range(600):
        (table,) = choose(snapshot, tables=1, players=players, rng=np.random.default_rng(seed))
        met.update(other > 10 for other in table[1:])
    assert asked == [0] * 600
    assert 0.06 < met[False] / met.total() < 0.15, "after two encounters a ninth of the weight of none"


def test_settled_versions_leave_an_arena_quiet() -> None:
    crowd = [a_candidate(i, SETTLED_AT_TOP, waiting_since=NOW - DAY_SECONDS + 60) for i in range(30)]
    assert pairs(crowd, 10) == []


def test_house_bots_alone_leave_an_arena_quiet_once_they_are_placed() -> None:
    house = [a_candidate(i, SETTLING, owner=None, games=40) for i in range(4)]
    assert pairs(house, 10) == []
    assert pairs([*house, a_candidate(9, SETTLING)], 1) != [], "a user's bot goes on against them"
    assert pairs([*house, a_candidate(9, WIDE, owner=None, games=0)], 1) != []


def test_house_bots_that_had_their_first_matches_get_no_turns_while_others_play_unless_overdue() -> None:
    house = [a_candidate(i, 80.0, owner=None, games=20) for i in range(4)]
    visited = Snapshot(house, [], NOW, visitors=True)
    assert choose(visited, tables=5, rng=np.random.default_rng(1)) == []
    assert choose(replace(visited, visitors=False), tables=5, rng=np.random.default_rng(1)) != []
    overdue = [replace(bot, waiting_since=NOW - OVERDUE_SECONDS - 1) for bot in house]
    assert choose(replace(visited, candidates=overdue), tables=5, rng=np.random.default_rng(1)) != []
    guest = a_candidate(9, WIDE, games=0)
    (pair,) = choose(replace(visited, candidates=[*house, guest]), tables=1, rng=np.random.default_rng(1))
    assert pair[0] == guest.version


def test_house_bots_get_their_first_matches_although_others_play() -> None:
    house = [a_candidate(i, WIDE, owner=None, games=0) for i in range(4)]
    guest = a_candidate(9, SETTLING, games=25)
    (pair,) = choose(Snapshot([*house, guest], [], NOW, visitors=True), tables=1, rng=np.random.default_rng(1))
    assert pair[0] != guest.version


def test_settled_versions_play_once_a_day() -> None:
    crowd = [a_candidate(i, SETTLED_AT_TOP, waiting_since=NOW - DAY_SECONDS - 60) for i in range(30)]
    chosen = pairs(crowd, 100)
    assert {version for pair in chosen for version in pair} == set(range(30))
    assert len(chosen) < 30, "a version that was met as an opponent has had its match"


def test_the_best_ten_are_measured_more_precisely() -> None:
    crowd = [a_candidate(i, SETTLED) for i in range(30)]
    drawn = {pair[0] for seed in range(5) for pair in pairs(crowd, 30, seed=seed)}
    assert drawn == set(range(20, 30)), "a version that is met often enough as an opponent gets no encounter of its own"


def test_on_a_small_board_the_better_half_is_measured_more_precisely() -> None:
    crowd = [a_candidate(i, SETTLED, rating=1500.0) for i in range(4)]
    crowd += [a_candidate(i, SETTLED, rating=1501.0) for i in range(4, 8)]
    assert {pair[0] for seed in range(20) for pair in pairs(crowd, 1, seed=seed)} <= {4, 5, 6, 7}
    assert pairs([replace(bot, se=SETTLED_AT_TOP) if bot.version > 3 else bot for bot in crowd], 8) == []


def test_a_version_with_few_matches_is_not_among_the_best() -> None:
    crowd = [a_candidate(i, SETTLED) for i in range(30)]
    lucky = a_candidate(99, WIDE, rating=2500.0, games=3)
    busy = [(99, 98)] * 4
    drawn = {pair[0] for seed in range(5) for pair in pairs([*crowd, lucky], 30, busy, seed)}
    assert drawn == set(range(20, 30)), "it takes nobody's place among the best ten"


@pytest.mark.parametrize(
    ("owner", "rating", "games_max"),
    [(9, 1_000.0, SETTLED_GAMES), (9, 2_000.0, TOP_SETTLED_GAMES), (None, 1_000.0, HOUSE_SETTLED_GAMES)],
)
def test_one_of_two_equals_far_from_all_others_stops_after_the_most_matches(
    owner: int | None, rating: float, games_max: int
) -> None:
    crowd = [a_candidate(i, SETTLED_AT_TOP, rating=1500.0) for i in range(5)]
    twin = a_candidate(8, 120.0, rating=rating, games=1_000)
    wide = a_candidate(9, 120.0, rating=rating + 1, games=games_max, owner=owner)
    assert pairs([*crowd, twin, wide], 5) == []
    assert {pair[0] for pair in pairs([*crowd, twin, replace(wide, games=games_max - 1)], 5)} == {9}


def test_an_overdue_version_gets_encounters_despite_many_newcomers() -> None:
    newcomers = [a_candidate(i, WIDE, games=0) for i in range(50)] + [a_candidate(98)]
    starving = a_candidate(99, waiting_since=NOW - OVERDUE_SECONDS - 1)
    drawn = firsts([*newcomers, starving])
    assert 60 < drawn[99] < 140, "about every other place"
    assert firsts([*newcomers, replace(starving, waiting_since=NOW)])[99] == 0


def test_a_version_without_an_opponent_does_not_block_the_others() -> None:
    crowd = [a_candidate(i, owner=1) for i in range(3)] + [a_candidate(7, owner=2)]
    alone = [a_candidate(9, WIDE, games=0, artifact="a7", owner=1)]
    assert sorted(sorted(pair) for pair in pairs(alone + crowd, 10)) == [[0, 7], [1, 7], [2, 7]]


def test_a_version_that_is_beyond_all_measure_meets_somebody() -> None:
    """The chance of a win is 1 to the last bit there."""
    crowd = [a_candidate(number, WIDE, rating=rating, games=0) for number, rating in enumerate((6_000.0, -3_000.0))]
    assert pairs(crowd, 1) in ([(0, 1)], [(1, 0)])


def test_four_sit_at_a_table() -> None:
    crowd = [a_candidate(i, owner=i // 2) for i in range(12)]
    chosen = pairs(crowd, 3, players=4)
    assert len(chosen) == 3
    for table in chosen:
        assert len({version // 2 for version in table}) == 4
    met = [frozenset(pair) for table in chosen for pair in combinations(table, 2)]
    assert len(met) == len(set(met))


candidates = st.builds(
    a_candidate,
    st.just(0),
    se=st.sampled_from([WIDE, SETTLING, SETTLED, SETTLED_AT_TOP]),
    owner=st.none() | st.integers(1, 4),
    artifact=st.sampled_from("abcdef"),
    rating=st.floats(-3000, 6000),
    games=st.integers(0, 1000),
    waiting_since=st.floats(NOW - 3 * DAY_SECONDS, NOW),
)


@settings(max_examples=60)
@given(st.lists(candidates, max_size=15), st.integers(0, 1000), st.data())
def test_no_crowd_breaks_the_rules(crowd: list[Candidate], seed: int, data: st.DataObject) -> None:
    crowd = [replace(candidate, version=i) for i, candidate in enumerate(crowd)]
    everybody = list(combinations(range(len(crowd)), 2))
    in_flight = data.draw(st.lists(st.sampled_from(everybody), max_size=8)) if everybody else []
    chosen = pairs(crowd, 20, in_flight, seed)
    busy = [frozenset(pair) for pair in in_flight]
    for a, b in chosen:
        one, other = crowd[a], crowd[b]
        assert one.artifact != other.artifact
        assert one.owner != other.owner or one.owner is None
        assert frozenset((a, b)) not in busy
        busy.append(frozenset((a, b)))
