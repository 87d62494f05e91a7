"""Brackets: known ones, byes, who goes on and who is out, and that rematches come late."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from formats.knockout import first_pairings
from formats.model import Decided, Draw, Entrant, Format, Outcome, Pairing, Stage
from formats.rounds import next_round
from formats.stages import rounds_count, stages_faults
from tests.formats.playing import entrants_made, random_of, rounds_played

BRACKETS = {
    5: [[1], [4, 5], [2], [3]],
    8: [[1, 8], [4, 5], [2, 7], [3, 6]],
    12: [[1], [8, 9], [4], [5, 12], [2], [7, 10], [3], [6, 11]],
    16: [[1, 16], [8, 9], [4, 13], [5, 12], [2, 15], [7, 10], [3, 14], [6, 11]],
}


@pytest.mark.parametrize("entrants", BRACKETS)
def test_the_first_round_is_the_usual_bracket(entrants: int) -> None:
    assert first_pairings(entrants=entrants, table_size=2, sizes=[2]) == BRACKETS[entrants]


def test_larger_pairings_spread_the_seeds() -> None:
    pairings = first_pairings(entrants=16, table_size=4, sizes=[4])
    assert pairings == [[1, 8, 12, 16], [2, 7, 11, 15], [3, 6, 10, 14], [4, 5, 9, 13]]
    # Smaller pairings where the rules have them, else byes, both for the best.
    assert first_pairings(entrants=10, table_size=4, sizes=[2, 3, 4]) == [[1, 8], [2, 7], [3, 6, 10], [4, 5, 9]]
    assert first_pairings(entrants=10, table_size=4, sizes=[4]) == [[1], [2], [3, 6, 8, 10], [4, 5, 7, 9]]
    assert first_pairings(entrants=9, table_size=4, sizes=[4]) is None


@given(count=st.integers(2, 200), table_size=st.integers(2, 4))
@settings(max_examples=200)
def test_a_bracket_seats_all_and_its_best_meet_last(count: int, table_size: int) -> None:
    pairings = first_pairings(entrants=count, table_size=table_size, sizes=(2, 3, 4))
    assert pairings is not None
    assert sorted(seed for pairing in pairings for seed in pairing) == list(range(1, count + 1))
    assert {len(pairing) for pairing in pairings} <= set(range(1, table_size + 1))
    best = [min(pairing) for pairing in pairings]
    while len(best) > 1:
        # If the better seed always wins, the best of a round are those that go on.
        assert sorted(best) == list(range(1, len(best) + 1))
        best = [min(best[start : start + table_size]) for start in range(0, len(best), table_size)]


def winning(draw: Draw, wins: Sequence[int] = ()) -> list[Decided]:
    """Decide each pairing for the better seed; those in ``wins`` beat everybody."""
    decided = []
    for pairing in draw.pairings:
        best = min(pairing.entrants, key=lambda number: (number not in wins, number))
        points = tuple(float(number == best) for number in pairing.entrants)
        outcome = Outcome.PLAYED if len(pairing.entrants) > 1 else Outcome.BYE
        decided.append(Decided(pairing, points, played=2, outcome=outcome, winner=best))
    return decided


def pairings_of(stage: Stage, count: int, wins: Sequence[int] = ()) -> list[Pairing]:
    decided: list[Decided] = []
    while draw := next_round(stages=[stage], entrants=entrants_made(count), decided=decided, lots=1, sizes=(2, 3, 4)):
        decided += winning(draw, wins)
    return [each.pairing for each in decided]


def test_losers_of_the_semi_finals_play_for_the_third_place() -> None:
    pairings = pairings_of(Stage(Format.SINGLE_ELIMINATION, third_place=True), 8)
    assert [(pairing.group, pairing.entrants, pairing.sources) for pairing in pairings if pairing.round == 3] == [
        ("", (1, 2), ((2, 1), (2, 2))),
        ("third", (4, 3), ((2, 1), (2, 2))),
    ]
    # With three entrants one semi-final is a bye: there is no second loser.
    assert {pairing.group for pairing in pairings_of(Stage(Format.SINGLE_ELIMINATION, third_place=True), 3)} == {""}


def test_a_double_elimination_of_eight() -> None:
    pairings = pairings_of(Stage(Format.DOUBLE_ELIMINATION), 8)
    assert [(pairing.round, pairing.group, pairing.entrants) for pairing in pairings] == [
        *((1, "winners", pair) for pair in ((1, 8), (4, 5), (2, 7), (3, 6))),
        *((2, "winners", pair) for pair in ((1, 4), (2, 3))),
        *((2, "losers", pair) for pair in ((8, 5), (7, 6))),
        *((3, "losers", pair) for pair in ((5, 3), (6, 4))),
        (4, "winners", (1, 2)),
        (4, "losers", (3, 4)),
        (5, "losers", (3, 2)),
        (6, "final", (1, 2)),
    ]


def test_who_comes_from_the_losers_bracket_has_to_win_twice() -> None:
    """Entrant 2 loses the final of the winners' bracket to 1 and wins everything after it."""
    stage = Stage(Format.DOUBLE_ELIMINATION)
    decided: list[Decided] = []
    groups = []
    while draw := next_round(stages=[stage], entrants=entrants_made(4), decided=decided, lots=1, sizes=(2,)):
        groups.append([pairing.group for pairing in draw.pairings])
        decided += winning(draw, wins=[2] if draw.round > 2 else [])
    assert groups[-2:] == [["final"], ["reset"]]
    assert decided[-1].pairing.entrants == (1, 2)
    assert decided[-1].pairing.sources == ((4, 1), (4, 1))


def test_two_play_a_double_elimination() -> None:
    pairings = pairings_of(Stage(Format.DOUBLE_ELIMINATION), 2)
    assert [(pairing.round, pairing.group, pairing.entrants) for pairing in pairings] == [
        (1, "winners", (1, 2)),
        (2, "final", (1, 2)),
    ]


@given(
    count=st.integers(2, 40),
    is_double=st.booleans(),
    table_size=st.integers(2, 4),
    seed=st.integers(0, 10**6),
    leaves=st.sampled_from([0.0, 0.1]),
)
@settings(max_examples=80)
def test_only_losers_are_out(count: int, is_double: bool, table_size: int, seed: int, leaves: float) -> None:
    rng = random_of(seed)
    stage = (
        Stage(Format.DOUBLE_ELIMINATION, best_of=3)
        if is_double
        else Stage(Format.SINGLE_ELIMINATION, table_size=table_size, third_place=table_size == 2)
    )
    if count < stage.table_size:
        return
    assert not stages_faults(stages=[stage], sizes=(2, 3, 4), entrants=count)

    def leaving(draw: Draw) -> list[int]:
        return [number for pairing in draw.pairings for number in pairing.entrants if rng.random() < leaves]

    lives = dict.fromkeys(range(1, count + 1), 2 if is_double else 1)
    results: dict[tuple[int, int], Decided] = {}
    last: Draw | None = None
    played: list[Decided] = []
    rounds = 0
    everything = list(rounds_played([stage], count, rng, leaving=leaving))
    for draw, _, decided in everything:
        rounds += 1
        for each in decided[len(played) :]:
            results[each.pairing.round, each.pairing.number] = each
            if each.pairing.group != "third":
                for number in each.pairing.entrants:
                    lives[number] -= number != each.winner
        played = decided
        seated = [number for pairing in draw.pairings if pairing.group != "third" for number in pairing.entrants]
        assert len(seated) == len(set(seated))
        assert all(lives[number] > 0 for number in seated)
        for pairing in draw.pairings:
            assert len(pairing.sources) == len(pairing.entrants)
            for number, source in zip(pairing.entrants, pairing.sources, strict=True):
                assert (source is None) == (draw.round == 1)
                assert source is None or number in results[source].pairing.entrants
            if pairing.group == "third":
                assert all(not lives[number] for number in pairing.entrants)
        last = draw
    assert last is not None
    most = rounds_count(stage=stage, entrants=count)
    assert rounds in ((most, most - 1) if is_double else (most,))
    assert (
        sum(left > 0 for left in lives.values()) == (2 if last.pairings[0].group != "losers" else 3) or table_size > 2
    )


@pytest.mark.parametrize("count", [8, 16, 32, 64, 128])
def test_rematches_come_late_in_the_losers_bracket(count: int) -> None:
    """Nobody meets an opponent of the winners' bracket again in the first two rounds after it has fallen."""
    for seed in range(3):
        met: dict[frozenset[int], int] = {}
        earliest = 10**6
        stage = Stage(Format.DOUBLE_ELIMINATION)
        for draw, _, _ in rounds_played([stage], count, random_of(seed)):
            for pairing in draw.pairings:
                pair = frozenset(pairing.entrants)
                if pairing.group == "losers" and pair in met:
                    earliest = min(earliest, draw.round)
                met[pair] = draw.round
        final = rounds_count(stage=stage, entrants=count) - 1
        assert earliest >= (5 if count > 8 else final - 1)


def test_groups_meet_themselves_late_in_the_next_stage() -> None:
    """Group A has the best winner and the worst runner-up, who would meet in 1 v 8."""
    stages = [Stage(Format.ROUND_ROBIN, groups=4, goes_on=8), Stage(Format.SINGLE_ELIMINATION)]
    for seed in range(20):
        groups: dict[int, str] = {}
        for draw, _, _ in rounds_played(stages, 16, random_of(seed)):
            if draw.stage == 0:
                groups |= {number: pairing.group for pairing in draw.pairings for number in pairing.entrants}
            elif draw.round == 1:
                assert all(groups[one] != groups[two] for one, two in (pairing.entrants for pairing in draw.pairings))


@pytest.mark.parametrize("left", [(0, 2), (0, 3), (1, 1), (1, 2)])
def test_who_leaves_in_a_chain(left: tuple[int, int]) -> None:
    """Before the second stage the next best goes on; within it the opponents win by forfeit."""
    stages = [Stage(Format.SWISS, rounds=2, goes_on=4), Stage(Format.SINGLE_ELIMINATION)]
    entrants = entrants_made(8)
    entrants[0] = Entrant(1, "bot1", left=left)
    decided: list[Decided] = []
    drawn: Counter[int] = Counter()
    while draw := next_round(stages=stages, entrants=entrants, decided=decided, lots=1, sizes=(2,)):
        if draw.stage == 1:
            drawn.update(number for pairing in draw.pairings for number in pairing.entrants)
        decided += winning(draw)
    assert (1 in drawn) == (left >= (1, 1))
    assert len(drawn) == 4
