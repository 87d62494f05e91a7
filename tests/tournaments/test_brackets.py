"""How a bracket is laid out: columns, lines, tables to come, and which rounds of a large one are shown."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client

from contests.models import Contest
from tests.contests.makers import make_contest
from tests.tournaments.played import decide_round, draw_round, make_drawn, make_field, play_rounds
from tests.tournaments.playing import begin
from tournaments.models import Tournament
from tournaments.selectors.brackets import COLUMN_MAX, COLUMNS_NARROW, Bracket, Cell, Part, brackets_of
from tournaments.selectors.loading import tournament_told
from tournaments.selectors.pages import PairingSeen

pytestmark = pytest.mark.django_db

SINGLE: dict[str, object] = {"format": "single_elimination"}
DOUBLE: dict[str, object] = {"format": "double_elimination"}
HERE = "/contests/spring/tournaments/final/bracket/"


@pytest.fixture
def contest() -> Contest:
    return make_contest(visibility="public")


def drawn(contest: Contest, entrants: int, *stages: dict[str, object], rounds: int = 0) -> Tournament:
    """Return a tournament with some rounds played and the next one drawn."""
    names = [f"Bot {number}" for number in range(1, entrants + 1)]
    tournament = make_drawn(make_field(contest.slug, contest.game, names), stages)
    play_rounds(tournament, rounds)
    draw_round(tournament)
    return tournament


def bracket(tournament: Tournament, *, whole: bool = False) -> Bracket:
    found = brackets_of(told=tournament_told(tournament=tournament, reader=AnonymousUser()), whole=whole)
    return found[-1]


def cells(part: Part, column: int) -> list[Cell]:
    return part.columns[column].cells


def tables(part: Part, column: int) -> list[PairingSeen]:
    return [cell.table for cell in cells(part, column) if cell.table]


def seats(table: PairingSeen) -> list[str]:
    return [seat.name for seat in table.seats]


def joints(part: Part) -> list[Sequence[str]]:
    return [[cell.joint for cell in column.cells] for column in part.columns]


def test_columns_are_named_by_how_many_are_left(contest: Contest) -> None:
    [part] = bracket(drawn(contest, 8, SINGLE)).parts
    assert [column.title for column in part.columns] == ["Quarter-finals", "Semi-finals", "Final"]
    assert part.title == "", "it is the only one"
    assert not part.is_wide


def test_two_tables_join_on_the_way_to_the_next_column(contest: Contest) -> None:
    [part] = bracket(drawn(contest, 8, SINGLE)).parts
    assert joints(part) == [["first", "last", "first", "last"], ["first", "last"], [""]]
    assert [[cell.has_in for cell in column.cells] for column in part.columns] == [[False] * 4, [True] * 2, [True]]
    assert [[cell.weight for cell in column.cells] for column in part.columns] == [[1] * 4, [1] * 2, [1]]


def test_tables_to_come_say_whose_winners_play_there(contest: Contest) -> None:
    [part] = bracket(drawn(contest, 8, SINGLE)).parts
    semi, other = tables(part, 1)
    assert seats(semi) == ["Winner of Quarter-final 1", "Winner of Quarter-final 2"]
    assert seats(other) == ["Winner of Quarter-final 3", "Winner of Quarter-final 4"]
    [final] = tables(part, 2)
    assert seats(final) == ["Winner of Semi-final 1", "Winner of Semi-final 2"]
    assert [table.is_drawn for table in (*tables(part, 0), semi, final)] == [True] * 4 + [False] * 2
    assert [seat.short for seat in final.seats] == ["", ""], "the lines of the bracket say it"


def test_a_winner_is_named_as_soon_as_its_table_is_decided(contest: Contest) -> None:
    tournament = drawn(contest, 8, SINGLE)
    decide_round(tournament, tournament.rounds.get(), leave_open=2)
    semi, other = tables(bracket(tournament).parts[0], 1)
    assert [seat.entrant is not None for seat in (*semi.seats, *other.seats)] == [True, True, False, False]
    assert not semi.is_drawn


def test_byes_are_certain_from_the_beginning() -> None:
    [part] = bracket(begin(entrants=6)).parts
    first = tables(part, 0)
    assert [table.is_bye for table in first].count(True) == 2
    assert sum(seat.entrant is not None for table in tables(part, 1) for seat in table.seats) == 2


def test_the_losers_of_the_semi_finals_play_beside_the_bracket(contest: Contest) -> None:
    tournament = drawn(contest, 8, {**SINGLE, "third_place": True})
    main, third = bracket(tournament).parts
    assert third.title == "Match for the third place"
    [table] = tables(third, 0)
    assert seats(table) == ["Loser of Semi-final 1", "Loser of Semi-final 2"]
    assert [seat.short for seat in table.seats] == seats(table), "no line leads there"
    assert [column.tables for column in main.columns] == [4, 2, 1]


def test_losers_come_down_by_an_arrow(contest: Contest) -> None:
    found = bracket(drawn(contest, 8, DOUBLE))
    winners, losers = found.parts
    assert (winners.title, losers.title) == ("Winners' bracket", "Losers' bracket")
    assert found.has_arrows
    comes = sorted(seat.short for table in tables(losers, 0) for seat in table.seats)
    assert comes == ["↓ W1·1", "↓ W1·2", "↓ W1·3", "↓ W1·4"]
    final = tables(winners, -1)[0]
    assert [seat.short for seat in final.seats] == ["", "Losers' bracket"]
    assert not bracket(drawn(make_contest("other"), 8, SINGLE)).has_arrows


def test_lines_pass_through_rounds_in_which_a_bracket_has_no_table(contest: Contest) -> None:
    winners, losers = bracket(drawn(contest, 8, DOUBLE)).parts
    for part in (winners, losers):
        weights = {sum(cell.weight for cell in column.cells) for column in part.columns}
        assert all(weight > 0 for weight in weights)
    passing = [cell for column in winners.columns for cell in column.cells if cell.is_line]
    assert all(cell.table is None and cell.has_in for cell in passing)


def test_tables_of_four_join_by_a_middle_too(contest: Contest) -> None:
    tournament = drawn(contest, 16, {**SINGLE, "table_size": 4})
    [part] = bracket(tournament).parts
    assert part.seats == 4
    assert joints(part)[0] == ["first", "middle", "middle", "last"]


@pytest.mark.parametrize(("entrants", "left_out"), [(32, 0), (64, 1), (128, 2)])
def test_a_large_bracket_begins_with_a_late_round_unless_all_is_asked_for(
    entrants: int, left_out: int, contest: Contest
) -> None:
    tournament = drawn(contest, entrants, SINGLE)
    [part] = bracket(tournament).parts
    assert part.left_out == left_out
    assert part.columns[0].tables <= COLUMN_MAX
    assert not any(cell.has_in for cell in part.columns[0].cells), "no line comes from what is not shown"
    whole = bracket(tournament, whole=True)
    assert whole.parts[0].columns[0].tables == entrants // 2
    assert (bracket(tournament).is_cut, whole.is_cut) == (bool(left_out), False)
    assert whole.parts[0].is_wide is (len(whole.parts[0].columns) > COLUMNS_NARROW)


def test_each_knockout_that_is_drawn_has_a_bracket(contest: Contest) -> None:
    swiss = {"format": "swiss", "rounds": 1, "goes_on": 4}
    tournament = drawn(contest, 8, swiss, SINGLE)
    told = tournament_told(tournament=tournament, reader=AnonymousUser())
    assert brackets_of(told=told) == []
    decide_round(tournament, tournament.rounds.get())
    draw_round(tournament)
    [found] = brackets_of(told=tournament_told(tournament=tournament, reader=AnonymousUser()))
    assert (found.stage, found.title) == (2, "Single elimination")
    assert [column.tables for column in found.parts[0].columns] == [2, 1]


def test_a_played_bracket_has_no_table_to_come(contest: Contest) -> None:
    tournament = drawn(contest, 8, SINGLE)
    decide_round(tournament, tournament.rounds.get())
    play_rounds(tournament, 5)
    [part] = bracket(tournament).parts
    shown = [table for column in range(3) for table in tables(part, column)]
    assert all(table.is_drawn and table.winner for table in shown)
    for at in (1, 2):
        before = {table.winner for table in tables(part, at - 1)}
        assert {name for table in tables(part, at) for name in seats(table)} == before


def test_a_bracket_stays_when_the_game_is_not_installed_any_more(contest: Contest) -> None:
    tournament = drawn(contest, 8, SINGLE)
    Contest.objects.filter(pk=contest.pk).update(game="gone")
    tournament = Tournament.objects.select_related("contest").get(pk=tournament.pk)
    [part] = bracket(tournament).parts
    assert [column.tables for column in part.columns] == [4, 2, 1]


def test_the_page_offers_the_whole_bracket_and_back(contest: Contest, client: Client) -> None:
    drawn(contest, 64, SINGLE)
    page = client.get(HERE).text
    assert 'href="?whole=1"' in page
    assert ">Round of 64</h3>" not in page
    whole = client.get(f"{HERE}?whole=1").text
    assert 'href="?"' in whole
    assert ">Round of 64</h3>" in whole


def test_a_tournament_without_a_knockout_has_no_bracket_to_show(contest: Contest, client: Client) -> None:
    drawn(contest, 4, {"format": "round_robin"})
    page = client.get(HERE).text
    assert "There is no bracket: no knockout of this tournament has been drawn." in page
    assert f'href="{HERE}"' not in client.get(HERE.removesuffix("bracket/")).text
