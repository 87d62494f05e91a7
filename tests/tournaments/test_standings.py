"""Standings, cross tables, the way of one bot and final places, from the results that a reader may know."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser

from contests.models import Contest
from formats.model import TieBreak
from tests.contests.makers import make_contest
from tests.ladder.makers import make_user
from tests.tournaments.makers import make_round, make_tournament
from tests.tournaments.played import make_drawn, make_field, play_rounds
from tournaments.models import Tournament
from tournaments.selectors.loading import Told, tournament_told
from tournaments.selectors.standings import (
    StageTable,
    cross_tables,
    final_places,
    places_of,
    stage_table,
    stage_tables,
    trf_groups,
    way_of,
)

pytestmark = pytest.mark.django_db

ROBIN = [{"format": "round_robin"}]
SWISS = [{"format": "swiss", "rounds": 3}]
GROUPS = [{"format": "round_robin", "groups": 2, "goes_on": 2}, {"format": "single_elimination"}]


def told(tournament: Tournament, *, knows_all: bool = False) -> Told:
    reader = make_user("root", is_staff=True) if knows_all else AnonymousUser()
    return tournament_told(tournament=Tournament.objects.get(pk=tournament.pk), reader=reader)


def robin(**fields: object) -> Tournament:
    """Return a round robin of four after two rounds: Moat 2, Keep 1, Tower 1, Gate 0."""
    tournament = make_tournament("running", stages=ROBIN, **fields)
    make_round(tournament, (1, 4), (2, 3), points=[(1, 0), (1, 0)])
    make_round(tournament, (1, 2), (3, 4), points=[(1, 0), (1, 0)])
    return tournament


def names(table: StageTable, group: int = 0) -> list[str]:
    return [row.entrant.bot.name for row in table.groups[group][1]]


def test_points_decide_and_then_the_tie_breaks() -> None:
    table = stage_table(told=told(robin()), number=0)
    assert names(table) == ["Moat", "Keep", "Tower", "Gate"]
    assert [row.standing.points for row in table.groups[0][1]] == [2, 1, 1, 0]
    assert (table.number, table.title, table.rounds, table.is_knockout) == (1, "Round robin", 2, False)
    assert table.tie_breaks
    assert all(len(row.standing.tie_breaks) == len(table.tie_breaks) for row in table.groups[0][1])


def test_tie_breaks_that_were_chosen_are_used_in_their_order() -> None:
    chosen = [{"format": "swiss", "rounds": 3, "tie_breaks": ["wins", "buchholz"]}]
    tournament = make_tournament("running", stages=chosen)
    make_round(tournament, (1, 3), (2, 4), points=[(1, 0), (1, 0)])
    table = stage_table(told=told(tournament), number=0)
    assert table.tie_breaks == (TieBreak.WINS, TieBreak.BUCHHOLZ)
    assert [row.standing.tie_breaks[0] for row in table.groups[0][1]] == [1, 1, 0, 0]


def test_each_group_has_a_table_and_who_goes_on_is_marked() -> None:
    tournament = make_tournament("running", stages=GROUPS)
    make_round(tournament, (1, 4), (2, 3), points=[(1, 0), (0, 1)])
    tables = tournament.rounds.get().tables.order_by("number")
    for table, group in zip(tables, "AB", strict=True):
        table.group = group
        table.save()
    table = stage_table(told=told(tournament), number=0)
    assert [name for name, _rows in table.groups] == ["A", "B"]
    assert [names(table, group) for group in (0, 1)] == [["Moat", "Gate"], ["Tower", "Keep"]]
    assert [[row.goes_on for row in rows] for _name, rows in table.groups] == [[True, False], [True, False]]
    assert [row.standing.place for _name, rows in table.groups for row in rows] == [1, 2, 1, 2]


def test_the_last_stage_comes_first_and_stages_that_are_not_drawn_have_no_table() -> None:
    stages = [{"format": "swiss", "rounds": 1, "goes_on": 2}, {"format": "single_elimination"}]
    tournament = make_tournament("running", stages=stages)
    make_round(tournament, (1, 3), (2, 4), points=[(1, 0), (1, 0)])
    assert [table.number for table in stage_tables(told=told(tournament))] == [1]
    make_round(tournament, (1, 2), stage=1, number=1)
    found = stage_tables(told=told(tournament))
    assert [(table.number, table.is_knockout, table.rounds) for table in found] == [(2, True, 0), (1, False, 1)]


def test_hidden_results_are_in_no_table() -> None:
    tournament = robin(results="at_end")
    assert [row.standing.points for row in stage_table(told=told(tournament), number=0).groups[0][1]] == [0, 0, 0, 0]
    known = stage_table(told=told(tournament, knows_all=True), number=0)
    assert [row.standing.points for row in known.groups[0][1]] == [2, 1, 1, 0]


# --- Files for pairing programs --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stage", "groups"),
    [
        (ROBIN[0], [""]),
        (SWISS[0], [""]),
        ({"format": "round_robin", "groups": 2}, ["A", "B"]),
        ({"format": "single_elimination"}, []),
        ({"format": "double_elimination"}, []),
        ({"format": "swiss", "rounds": 3, "table_size": 4}, []),
    ],
)
def test_drawn_stages_of_pairs_have_a_file_for_each_group(stage: dict[str, object], groups: list[str]) -> None:
    tournament = make_tournament("running", stages=[stage])
    assert trf_groups(told=told(tournament), number=0) == [], "nothing is drawn"
    make_round(tournament, (1, 4), (2, 3))
    assert trf_groups(told=told(tournament), number=0) == groups
    assert trf_groups(told=told(tournament), number=1) == []


# --- Cross tables ----------------------------------------------------------------------------------------------------


def test_a_round_robin_is_each_against_each() -> None:
    [table] = cross_tables(told=told(robin()))
    assert (table.by_rounds, table.columns) == (False, ["1", "2", "3", "4"])
    first = table.rows[0]
    assert first.cells[0] is None, "nobody meets himself"
    shown = [None if cell is None else [meeting.points for meeting in cell] for cell in first.cells]
    assert shown == [None, [1], [], [1]]
    [meeting] = first.cells[1] or []
    assert (meeting.stage, meeting.round, meeting.number, meeting.outcome) == (1, 2, 1, "")
    assert [entrant.bot.name for entrant in meeting.opponents] == ["Keep"]


def test_a_swiss_is_told_round_by_round() -> None:
    tournament = make_tournament("running", stages=SWISS, entrants=5)
    make_round(tournament, (1, 3), (2, 4), (5,), points=[(1, 0), (1, 0), (1,)])
    make_round(tournament, (1, 2), (5, 3), (4,))
    [table] = cross_tables(told=told(tournament))
    assert (table.by_rounds, table.columns) == (True, ["1", "2"])
    rows = {row.row.entrant.bot.name: row.cells for row in table.rows}
    [bye] = rows["Wall"][0] or []
    assert (bye.points, bye.opponents, bye.outcome) == (1, (), "bye")
    assert rows["Moat"][1] == []


def test_knockouts_have_no_cross_table_and_groups_have_one_each() -> None:
    assert cross_tables(told=told(make_tournament("running"))) == []
    tournament = make_tournament("running", stages=GROUPS[:1], slug="groups", entrants=[])
    assert cross_tables(told=told(tournament)) == []


# --- Places and ways -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("state", "knows_all", "told_"),
    [("running", True, False), ("finished", False, False), ("finished", True, True), ("released", False, True)],
)
def test_final_places_are_told_with_the_release_and_organisers_before(state: str, knows_all: bool, told_: bool) -> None:
    tournament = make_tournament(state, results="at_end")
    found = final_places(told=told(tournament, knows_all=knows_all))
    shown = [(row.place, row.entrant.bot.name) for row in found]
    assert shown == ([(1, "Moat"), (2, "Keep"), (3, "Tower"), (3, "Gate")] if told_ else [])


def test_places_so_far_go_by_how_far_each_has_come() -> None:
    found = places_of(told=told(make_tournament("running")))
    assert {row.place for row in found if row.entrant.bot.name in ("Tower", "Gate")} == {3}
    assert len(found) == 4


def test_the_way_of_a_bot_has_its_tables_and_its_place_after_each_round() -> None:
    tournament = robin()
    found = told(tournament)
    way = way_of(told=found, entrant=found.rows[2])
    assert [[seat.name for seat in step.table.seats] for step in way] == [["Keep", "Tower"], ["Moat", "Keep"]]
    assert [step.place for step in way] == [2, 2]
    make_round(tournament, (1, 3), (2, 4), points=[None, (1, 0)])
    found = told(tournament)
    assert way_of(told=found, entrant=found.rows[2])[-1].place is None, "the round is not over"


def test_the_way_through_a_knockout_has_no_places() -> None:
    found = told(make_tournament("released"))
    way = way_of(told=found, entrant=found.rows[2])
    assert [(step.round.title, step.place) for step in way] == [("Semi-finals", None), ("Final", None)]
    assert len(way_of(told=found, entrant=found.rows[3])) == 1


def test_the_way_ends_where_results_are_hidden() -> None:
    tournament = robin(results="at_end")
    found = told(tournament)
    [step] = way_of(told=found, entrant=found.rows[1])
    assert (step.place, step.table.is_told) == (None, False)


@pytest.mark.parametrize("stage", [SWISS[0], {**SWISS[0], "table_size": 4}])
def test_standings_add_up_whatever_is_played(stage: dict[str, object]) -> None:
    contest: Contest = make_contest(visibility="public")
    entrants = make_field(contest.slug, contest.game, [f"Bot {number}" for number in range(1, 9)])
    tournament = make_drawn(entrants, [stage])
    play_rounds(tournament, 3)
    table = stage_table(told=told(tournament), number=0)
    rows = table.groups[0][1]
    assert len(rows) == 8
    assert [row.standing.points for row in rows] == sorted((row.standing.points for row in rows), reverse=True)
    assert all(0 <= row.standing.points <= row.standing.played == 3 for row in rows)
