"""Tests the standings and places of all formats."""

from __future__ import annotations

from formats.model import Decided, Entrant, Format, Outcome, Pairing, Stage, Standing, TieBreak
from formats.standings import groups_of, places, stage_entrants, standings, tie_breaks_of


def entrants_made(count: int, left: dict[int, tuple[int, int]] | None = None) -> list[Entrant]:
    """Return entrants 1 .. count; some have left."""
    return [Entrant(number, f"bot{number}", left=(left or {}).get(number)) for number in range(1, count + 1)]


def played(round_: int, winner: int, loser: int, *, group: str = "", stage: int = 0, number: int = 1) -> Decided:
    """Return a table of two that the first has won."""
    pairing = Pairing(stage=stage, round=round_, number=number, entrants=(winner, loser), group=group)
    return Decided(pairing, points=(1.0, 0.0), games=(2.0, 0.0), played=2, winner=winner)


def rows_of(stage: Stage, count: int, decided: list[Decided]) -> list[tuple[int, int]]:
    """Return entrant and place of each row of a tournament with one stage."""
    return [(row.entrant, row.place) for row in pairing_of(stage, count, decided)]


def pairing_of(stage: Stage, count: int, decided: list[Decided]) -> list[Standing]:
    """Return the standings of a tournament with one stage."""
    return standings(stages=[stage], stage=0, entrants=entrants_made(count), decided=decided)


def test_usual_tie_breaks_follow_the_format() -> None:
    """A stage without tie-breaks has those of its format, and a knockout has none."""
    assert tie_breaks_of(Stage(Format.SWISS, rounds=3))[0] == TieBreak.BUCHHOLZ
    assert tie_breaks_of(Stage(Format.ROUND_ROBIN))[0] == TieBreak.DIRECT_ENCOUNTER
    assert tie_breaks_of(Stage(Format.SINGLE_ELIMINATION)) == ()
    assert tie_breaks_of(Stage(Format.SWISS, tie_breaks=(TieBreak.WINS,))) == (TieBreak.WINS,)


def test_groups_are_dealt_like_a_snake() -> None:
    """Groups get about equal strength."""
    stage = Stage(Format.ROUND_ROBIN, groups=3)
    assert groups_of(stage=stage, numbers=range(1, 9)) == {"A": [1, 6, 7], "B": [2, 5, 8], "C": [3, 4]}
    assert list(groups_of(stage=Stage(Format.ROUND_ROBIN, groups=28), numbers=[1]))[-2:] == ["AA", "AB"]


def test_losers_of_the_same_round_share_a_place() -> None:
    """Single elimination of eight without a match for the third place: 1, 2, 3, 3, 5, 5, 5, 5."""
    first = [played(1, *each) for each in ((1, 8), (5, 4), (2, 7), (3, 6))]
    later = [played(2, 1, 5), played(2, 3, 2), played(3, 3, 1)]
    stage = Stage(Format.SINGLE_ELIMINATION)
    assert rows_of(stage, 8, first) == [(1, 1), (2, 1), (3, 1), (5, 1), (4, 5), (6, 5), (7, 5), (8, 5)]
    assert rows_of(stage, 8, first + later) == [(3, 1), (1, 2), (2, 3), (5, 3), (4, 5), (6, 5), (7, 5), (8, 5)]
    third = [played(3, 5, 2, group="third")]
    assert rows_of(stage, 8, first + later + third)[:4] == [(3, 1), (1, 2), (5, 3), (2, 4)]


def test_a_final_of_four_has_a_second_place() -> None:
    """At a table of four, points order those that were put out."""
    pairing = Pairing(stage=0, round=1, number=1, entrants=(1, 2, 3, 4))
    final = Decided(pairing, points=(1 / 3, 1.0, 0.0, 2 / 3), winner=2, played=4)
    assert rows_of(Stage(Format.SINGLE_ELIMINATION, table_size=4), 4, [final]) == [(2, 1), (4, 2), (1, 3), (3, 4)]


def test_the_round_of_the_second_loss_orders_double_elimination() -> None:
    """Who has lost once is still in it, but behind who has not."""
    decided = [
        played(1, 1, 4, group="winners"),
        played(1, 2, 3, group="winners"),
        played(2, 1, 2, group="winners"),
        played(2, 4, 3, group="losers"),
    ]
    stage = Stage(Format.DOUBLE_ELIMINATION)
    assert rows_of(stage, 4, decided) == [(1, 1), (2, 2), (4, 2), (3, 4)]
    decided += [played(3, 2, 4, group="losers"), played(4, 2, 1, group="final")]
    assert rows_of(stage, 4, decided) == [(1, 1), (2, 1), (4, 3), (3, 4)]
    decided += [played(5, 2, 1, group="reset")]
    assert rows_of(stage, 4, decided) == [(2, 1), (1, 2), (4, 3), (3, 4)]


def test_firsts_of_all_groups_go_on_before_the_seconds() -> None:
    """Groups of a chain: A has 1, 4, 5 and B has 2, 3, 6."""
    stages = [Stage(Format.ROUND_ROBIN, groups=2, goes_on=4), Stage(Format.SINGLE_ELIMINATION)]
    decided = [played(1, *each) for each in ((5, 1), (1, 4), (5, 4), (3, 2), (2, 6), (6, 3))]
    everybody = entrants_made(6)
    rows = standings(stages=stages, stage=0, entrants=everybody, decided=decided)
    assert [(row.group, row.place, row.entrant) for row in rows] == [
        ("A", 1, 5),
        ("A", 2, 1),
        ("A", 3, 4),
        ("B", 1, 2),
        ("B", 2, 3),
        ("B", 3, 6),
    ]
    assert stage_entrants(stages=stages, stage=1, entrants=everybody, decided=decided) == [5, 2, 1, 3]
    # Entrant 2 left before the second stage began, entrant 5 in its first round.
    left = entrants_made(6, left={2: (0, 4), 5: (1, 1)})
    assert stage_entrants(stages=stages, stage=1, entrants=left, decided=decided) == [5, 1, 3, 6]
    final = [played(1, 1, 5, stage=1), played(1, 3, 2, stage=1), played(2, 3, 1, stage=1)]
    found = places(stages=stages, entrants=everybody, decided=[*decided, *final])
    assert [(place.entrant, place.place, place.stage) for place in found] == [
        (3, 1, 1),
        (1, 2, 1),
        (2, 3, 1),
        (5, 3, 1),
        (6, 5, 0),
        (4, 5, 0),
    ]


def test_forfeits_and_byes_give_points_but_no_wins() -> None:
    """Only pairings that were played make wins, draws and losses."""
    bye = Decided(Pairing(stage=0, round=1, number=2, entrants=(3,)), points=(1.0,), outcome=Outcome.BYE)
    forfeit = Decided(Pairing(stage=0, round=2, number=1, entrants=(1, 3)), points=(1.0, 0.0), outcome=Outcome.FORFEIT)
    rows = {row.entrant: row for row in pairing_of(Stage(Format.SWISS, rounds=2), 3, [played(1, 1, 2), bye, forfeit])}
    assert (rows[1].points, rows[1].wins, rows[1].played) == (2.0, 1, 1)
    assert (rows[3].points, rows[3].wins, rows[3].losses, rows[3].played) == (1.0, 0, 0, 0)
