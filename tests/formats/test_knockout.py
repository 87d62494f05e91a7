"""Brackets: known ones, byes, who goes on and who is out, and that rematches come late."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from formats.knockout import first_tables
from formats.model import Decided, Draw, Entrant, Format, Outcome, Stage, Table
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
    assert first_tables(entrants=entrants, table_size=2, sizes=[2]) == BRACKETS[entrants]


def test_larger_tables_spread_the_seeds() -> None:
    tables = first_tables(entrants=16, table_size=4, sizes=[4])
    assert tables == [[1, 8, 12, 16], [2, 7, 11, 15], [3, 6, 10, 14], [4, 5, 9, 13]]
    # Smaller tables where the rules have them, else byes, both for the best.
    assert first_tables(entrants=10, table_size=4, sizes=[2, 3, 4]) == [[1, 8], [2, 7], [3, 6, 10], [4, 5, 9]]
    assert first_tables(entrants=10, table_size=4, sizes=[4]) == [[1], [2], [3, 6, 8, 10], [4, 5, 7, 9]]
    assert first_tables(entrants=9, table_size=4, sizes=[4]) is None


@given(count=st.integers(2, 200), table_size=st.integers(2, 4))
@settings(max_examples=200, deadline=None)
def test_a_bracket_seats_all_and_its_best_meet_last(count: int, table_size: int) -> None:
    tables = first_tables(entrants=count, table_size=table_size, sizes=(2, 3, 4))
    assert tables is not None
    assert sorted(seed for table in tables for seed in table) == list(range(1, count + 1))
    assert {len(table) for table in tables} <= set(range(1, table_size + 1))
    best = [min(table) for table in tables]
    while len(best) > 1:
        # If the better seed always wins, the best of a round are those that go on.
        assert sorted(best) == list(range(1, len(best) + 1))
        best = [min(best[start : start + table_size]) for start in range(0, len(best), table_size)]


def winning(draw: Draw, wins: Sequence[int] = ()) -> list[Decided]:
    """Decide each table for the better seed; those in ``wins`` beat everybody."""
    decided = []
    for table in draw.tables:
        best = min(table.entrants, key=lambda number: (number not in wins, number))
        points = tuple(float(number == best) for number in table.entrants)
        outcome = Outcome.PLAYED if len(table.entrants) > 1 else Outcome.BYE
        decided.append(Decided(table, points, played=2, outcome=outcome, winner=best))
    return decided


def tables_of(stage: Stage, count: int, wins: Sequence[int] = ()) -> list[Table]:
    decided: list[Decided] = []
    while draw := next_round(stages=[stage], entrants=entrants_made(count), decided=decided, lots=1, sizes=(2, 3, 4)):
        decided += winning(draw, wins)
    return [each.table for each in decided]


def test_losers_of_the_semi_finals_play_for_the_third_place() -> None:
    tables = tables_of(Stage(Format.SINGLE_ELIMINATION, third_place=True), 8)
    assert [(table.group, table.entrants, table.sources) for table in tables if table.round == 3] == [
        ("", (1, 2), ((2, 1), (2, 2))),
        ("third", (4, 3), ((2, 1), (2, 2))),
    ]
    # With three entrants one semi-final is a bye: there is no second loser.
    assert {table.group for table in tables_of(Stage(Format.SINGLE_ELIMINATION, third_place=True), 3)} == {""}


def test_a_double_elimination_of_eight() -> None:
    tables = tables_of(Stage(Format.DOUBLE_ELIMINATION), 8)
    assert [(table.round, table.group, table.entrants) for table in tables] == [
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
        groups.append([table.group for table in draw.tables])
        decided += winning(draw, wins=[2] if draw.round > 2 else [])
    assert groups[-2:] == [["final"], ["reset"]]
    assert decided[-1].table.entrants == (1, 2)
    assert decided[-1].table.sources == ((4, 1), (4, 1))


def test_two_play_a_double_elimination() -> None:
    tables = tables_of(Stage(Format.DOUBLE_ELIMINATION), 2)
    assert [(table.round, table.group, table.entrants) for table in tables] == [
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
@settings(max_examples=80, deadline=None)
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
        return [number for table in draw.tables for number in table.entrants if rng.random() < leaves]

    lives = dict.fromkeys(range(1, count + 1), 2 if is_double else 1)
    results: dict[tuple[int, int], Decided] = {}
    last: Draw | None = None
    played: list[Decided] = []
    rounds = 0
    everything = list(rounds_played([stage], count, rng, leaving=leaving))
    for draw, _, decided in everything:
        rounds += 1
        for each in decided[len(played) :]:
            results[each.table.round, each.table.number] = each
            if each.table.group != "third":
                for number in each.table.entrants:
                    lives[number] -= number != each.winner
        played = decided
        seated = [number for table in draw.tables if table.group != "third" for number in table.entrants]
        assert len(seated) == len(set(seated))
        assert all(lives[number] > 0 for number in seated)
        for table in draw.tables:
            assert len(table.sources) == len(table.entrants)
            for number, source in zip(table.entrants, table.sources, strict=True):
                assert (source is None) == (draw.round == 1)
                assert source is None or number in results[source].table.entrants
            if table.group == "third":
                assert all(not lives[number] for number in table.entrants)
        last = draw
    assert last is not None
    most = rounds_count(stage=stage, entrants=count)
    assert rounds in ((most, most - 1) if is_double else (most,))
    assert sum(left > 0 for left in lives.values()) == (2 if last.tables[0].group != "losers" else 3) or table_size > 2


@pytest.mark.parametrize("count", [8, 16, 32, 64, 128])
def test_rematches_come_late_in_the_losers_bracket(count: int) -> None:
    """Nobody meets an opponent of the winners' bracket again in the first two rounds after it has fallen."""
    for seed in range(3):
        met: dict[frozenset[int], int] = {}
        earliest = 10**6
        stage = Stage(Format.DOUBLE_ELIMINATION)
        for draw, _, _ in rounds_played([stage], count, random_of(seed)):
            for table in draw.tables:
                pair = frozenset(table.entrants)
                if table.group == "losers" and pair in met:
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
                groups |= {number: table.group for table in draw.tables for number in table.entrants}
            elif draw.round == 1:
                assert all(groups[one] != groups[two] for one, two in (table.entrants for table in draw.tables))


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
            drawn.update(number for table in draw.tables for number in table.entrants)
        decided += winning(draw)
    assert (1 in drawn) == (left >= (1, 1))
    assert len(drawn) == 4
