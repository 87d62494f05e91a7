"""Swiss rounds: as another library draws them, and by their own rules."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from formats.dutch import matched_pairings
from formats.model import Decided, Draw, Format, Outcome, Stage
from formats.neighbours import neighbours_pairings, times_met
from formats.rounds import next_round
from tests.formats.crosscheck import EXPLAINED, has_legal_pairing, players_of, tournament_compared
from tests.formats.playing import random_of, rounds_played


def test_rounds_are_those_of_another_library() -> None:
    """`python -m tests.formats.crosscheck 2000` compares more and larger tournaments."""
    found: Counter[str] = Counter()
    for seed in range(10_000, 10_060):
        found += tournament_compared(seed, largest=20)
    assert {kind for kind in found if kind not in EXPLAINED} == set()
    assert found["equal"] > 100


@given(count=st.integers(2, 14), share=st.floats(0, 1), seed=st.integers(0, 10**6), leaves=st.sampled_from([0.0, 0.05]))
@settings(max_examples=60)
def test_nobody_meets_twice_while_that_is_possible(count: int, share: float, seed: int, leaves: float) -> None:
    rng = random_of(seed)
    stage = Stage(Format.SWISS, rounds=max(1, round(share * (count - 1))))

    def leaving(draw: Draw) -> list[int]:
        return [number for pairing in draw.pairings for number in pairing.entrants if rng.random() < leaves]

    rounds = 0
    for draw, entrants, decided in rounds_played([stage], count, rng, leaving=leaving):
        rounds += 1
        playing = [each.number for each in entrants if each.plays(0, draw.round)]
        seated = [number for pairing in draw.pairings for number in pairing.entrants]
        assert sorted(seated) == playing
        assert sorted(len(pairing.entrants) for pairing in draw.pairings) == [1] * (len(playing) % 2) + [2] * (
            len(playing) // 2
        )
        met = times_met(each.pairing.entrants for each in decided if each.outcome is not Outcome.FORFEIT)
        repeats = sum(met[pair] for pair in times_met(pairing.entrants for pairing in draw.pairings))
        players = players_of(count, decided, draw.round - 1)
        if repeats:
            assert not has_legal_pairing(stage, [players[number] for number in playing], draw.round)
    assert rounds == stage.rounds or leaves


def test_fields_without_a_legal_pairing_play_on() -> None:
    """Six can play themselves into two threes who have all met each other: then one pair of each must meet again."""
    stage = Stage(Format.SWISS, rounds=5)
    repeated = 0
    for seed in range(30):
        for draw, _, decided in rounds_played([stage], 6, random_of(seed)):
            met = times_met(each.pairing.entrants for each in decided)
            repeats = [pair for pair in times_met(pairing.entrants for pairing in draw.pairings) if met[pair]]
            repeated += len(repeats)
            assert len(repeats) <= 2
    assert repeated


def test_a_pairing_beyond_the_rules_repeats_least_and_then_keeps_points_together() -> None:
    points = {1: 3.0, 2: 2.0, 3: 2.0, 4: 1.0, 5: 0.0}
    met = Counter({(1, 2): 1, (1, 3): 1, (2, 3): 1})
    byes = dict.fromkeys(points, 0) | {5: 1}
    pairings = matched_pairings(
        ordered=[1, 2, 3, 4, 5], points=points, met=met, byes=byes, first=dict.fromkeys(points, 0)
    )
    # The three leaders have all met, so one of them rests; the other two meet the nearest that they have not met.
    assert pairings == [(1, 4), (2, 5), (3,)]


@pytest.mark.parametrize("lots", [6, 7])
def test_lots_give_the_first_seat_of_the_first_round(lots: int) -> None:
    draw, _, _ = next(rounds_played([Stage(Format.SWISS, rounds=3)], 8, random_of(1), lots=lots))
    pairs = [pairing.entrants for pairing in draw.pairings]
    assert pairs == ([(1, 5), (6, 2), (3, 7), (8, 4)] if lots == 6 else [(5, 1), (2, 6), (7, 3), (4, 8)])


def test_points_given_by_hand_count_in_the_next_round() -> None:
    """Who got three quarters by an organiser stands between winners and draws."""
    stage = Stage(Format.SWISS, rounds=3)
    rounds = rounds_played([stage], 8, random_of(1), lots=0)
    draw, entrants, _ = next(rounds)
    shares = [(1.0, 0.0), (0.75, 0.25), (0.75, 0.25), (0.0, 1.0)]
    decided = [
        Decided(pairing, points, outcome=Outcome.BY_HAND) for pairing, points in zip(draw.pairings, shares, strict=True)
    ]
    second = next_round(stages=[stage], entrants=entrants, decided=decided, lots=0, sizes=(2,))
    assert second is not None
    assert {frozenset(pairing.entrants) for pairing in second.pairings} == set(
        map(frozenset, [(1, 4), (6, 3), (2, 7), (5, 8)])
    )


@given(
    count=st.integers(3, 26),
    table_size=st.integers(3, 4),
    sizes=st.sampled_from([(2, 3, 4), (4,), (3, 4), (2, 4), (3,)]),
    rounds=st.integers(1, 6),
    seed=st.integers(0, 10**6),
)
@settings(max_examples=60)
def test_larger_pairings_seat_everybody_once(
    count: int, table_size: int, sizes: tuple[int, ...], rounds: int, seed: int
) -> None:
    stage = Stage(Format.SWISS, rounds=min(rounds, count - 1), table_size=table_size)
    allowed = {size for size in sizes if size < table_size} | {table_size}
    byes: Counter[int] = Counter()
    for draw, _, _ in rounds_played([stage], count, random_of(seed), sizes=sizes):
        assert sorted(number for pairing in draw.pairings for number in pairing.entrants) == list(range(1, count + 1))
        assert {len(pairing.entrants) for pairing in draw.pairings} <= allowed | {1}
        byes.update(pairing.entrants[0] for pairing in draw.pairings if len(pairing.entrants) == 1)
        if {2, 3, 4} <= set(sizes) and count > 1:
            assert not byes
    # Byes go round.
    assert max(byes.values(), default=0) - min((byes[number] for number in range(1, count + 1)), default=0) <= 1


def test_sixteen_at_pairings_of_four_meet_nobody_twice_in_three_rounds() -> None:
    for seed in range(10):
        met: Counter[tuple[int, int]] = Counter()
        stage = Stage(Format.SWISS, rounds=3, table_size=4)
        for draw, _, _ in rounds_played([stage], 16, random_of(seed)):
            met += times_met(pairing.entrants for pairing in draw.pairings)
        assert sum(times - 1 for times in met.values()) <= 6


def test_the_first_round_takes_one_of_each_part_of_the_field() -> None:
    draw, _, _ = next(rounds_played([Stage(Format.SWISS, rounds=2, table_size=4)], 8, random_of(1)))
    assert [pairing.entrants for pairing in draw.pairings] == [(1, 3, 5, 7), (2, 4, 6, 8)]


def test_exchanges_end_and_find_a_round_without_repeats() -> None:
    points = dict.fromkeys(range(1, 13), 0.0)
    met = times_met([(1, 4, 7, 10), (2, 5, 8, 11), (3, 6, 9, 12)])
    pairings = neighbours_pairings(
        ordered=list(points), points=points, met=met, byes=dict.fromkeys(points, 0), sizes=[3, 4]
    )
    again = sum(met[pair] for pairing in pairings for pair in combinations(sorted(pairing), 2))
    assert sorted(map(len, pairings)) == [4, 4, 4]
    # Each table of four from three old ones repeats at least one meeting.
    assert again == 3
