"""What a reader may know of a tournament: rounds and results that are told, and nothing that gives others away."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser
from pytest_django import DjangoAssertNumQueries

from accounts.access import Reader
from accounts.models import User
from contests.models import Member
from formats.model import Outcome
from tests.ladder.makers import make_user
from tests.tournaments.makers import make_round, make_tournament
from tournaments.models import Entrant, Tournament
from tournaments.selectors.loading import Told, told_until, tournament_told, tournament_whole
from tournaments.selectors.pages import current_round, hidden_sentence, round_seen, rounds_by_stage, rounds_seen
from tournaments.selectors.rounds import rounds_shown

pytestmark = pytest.mark.django_db

GUEST = AnonymousUser()
SWISS = [{"format": "swiss", "rounds": 3}]


def make_organiser(name: str = "oda") -> User:
    user = make_user(name)
    Member.objects.create(contest_id="kakomimasu", user=user, role=Member.Role.ORGANISER)
    return user


def told(tournament: Tournament, reader: Reader | None = GUEST) -> Told:
    return tournament_told(tournament=Tournament.objects.get(pk=tournament.pk), reader=reader)


def swiss(results: str = "by_round", **fields: object) -> Tournament:
    """Return a Swiss with one released round, one played round that is hidden, and one that is drawn."""
    tournament = make_tournament("running", stages=SWISS, results=results, **fields)
    make_round(tournament, (1, 3), (2, 4), points=[(1, 0), (1, 0)], told=True)
    make_round(tournament, (1, 2), (3, 4), points=[(0.5, 0.5), (1, 0)], told=False)
    make_round(tournament, (1, 4), (2, 3), told=False)
    return tournament


def points(found: Told) -> list[list[float | None]]:
    """Return the points of all seats by round."""
    return [[seat.points for table in each.tables for seat in table.seats.all()] for each in found.rounds]


# --- Rounds ----------------------------------------------------------------------------------------------------------


def test_others_know_the_pairing_of_one_hidden_round_and_no_result_of_it() -> None:
    """The pairing of a round follows from the results before it: a second hidden round would tell the first one."""
    found = told(swiss())
    assert [each.is_told for each in found.rounds] == [True, False]
    assert points(found) == [[1, 0, 1, 0], [None] * 4]
    assert [each.row.finished_at is not None for each in found.rounds] == [True, False]
    assert [table.outcome for table in found.rounds[1].tables] == ["", ""]
    assert len(found.decided) == 2
    assert not found.knows_all


@pytest.mark.parametrize("is_staff", [True, False])
def test_organisers_and_administrators_know_all(is_staff: bool) -> None:
    reader = make_user("root", is_staff=True) if is_staff else make_organiser()
    found = told(swiss(), reader)
    assert [each.is_told for each in found.rounds] == [True, True, True]
    assert points(found)[1] == [0.5, 0.5, 1, 0]
    assert found.knows_all
    assert len(found.decided) == 4


def test_services_know_all_and_nobody_asks_for_everybody() -> None:
    tournament = swiss()
    assert len(tournament_whole(tournament=tournament).decided) == 4
    assert len(told(tournament, None).decided) == 2


@pytest.mark.parametrize(
    ("results", "state"), [("at_once", "running"), ("by_round", "released"), ("at_end", "released")]
)
def test_what_is_public_is_told_to_everybody(results: str, state: str) -> None:
    tournament = swiss(results)
    Tournament.objects.update(state=state)
    found = told(tournament)
    assert found.knows_all
    assert [each.is_told for each in found.rounds] == [True, True, True]


def test_nothing_but_the_first_pairing_is_told_before_the_end() -> None:
    tournament = make_tournament("running", stages=SWISS, results="at_end")
    make_round(tournament, (1, 3), (2, 4), points=[(1, 0), (1, 0)])
    make_round(tournament, (1, 2), (3, 4))
    found = told(tournament)
    assert [each.is_told for each in found.rounds] == [False]
    assert found.decided == []


def test_the_round_from_which_a_bot_is_gone_tells_how_far_it_had_come() -> None:
    """The attack: somebody reads from the round of a withdrawal that the bot was not out by then."""
    tournament = swiss()
    left = {"left": "withdrawn", "left_stage": 0}
    tournament.entrants.filter(number=1).update(**left, left_round=1)
    tournament.entrants.filter(number=2).update(**left, left_round=3)
    assert [each.left for each in told(tournament).entrants] == [(0, 1), None, None, None]
    assert [each.left for each in told(tournament, make_organiser()).entrants] == [(0, 1), (0, 3), None, None]


def test_a_draft_or_open_tournament_has_neither_rounds_nor_seeds() -> None:
    found = told(make_tournament("open"))
    assert (found.rounds, found.rows, found.entrants, found.decided) == ([], {}, [], [])
    assert current_round(told=found) is None
    assert rounds_seen(told=found) == []


def test_a_trf_file_has_whole_rounds_alone() -> None:
    tournament = make_tournament("running", stages=SWISS)
    make_round(tournament, (1, 3), (2, 4), points=[(1, 0), (1, 0)])
    make_round(tournament, (1, 2), (3, 4), points=[(1, 0), None])
    found = told(tournament)
    assert len(found.decided) == 3
    assert [each.pairing.round for each in found.decided_whole] == [1, 1]


def test_it_takes_few_queries_however_many_rounds(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    tournament = Tournament.objects.get(pk=swiss("at_once").pk)
    with django_assert_num_queries(5):
        found = tournament_told(tournament=tournament, reader=GUEST)
        assert len(rounds_seen(told=found)) == 3
        assert found.rows[1].bot.owner.username == "moat-owner"


# --- A tournament as it was ------------------------------------------------------------------------------------------


def test_an_earlier_moment_shows_what_was_known_then_and_nothing_later() -> None:
    tournament = make_tournament("released", stages=SWISS)
    make_round(tournament, (1, 3), (2, 4), points=[(1, 0), (1, 0)])
    make_round(tournament, (1, 2), (3, 4), points=[(1, 0), (0, 1)])
    then = told_until(told=told(tournament), stage=0, number=2, tables=[2])
    assert [each.row.number for each in then.rounds] == [1, 2]
    assert points(then) == [[1, 0, 1, 0], [None, None, 0, 1]]
    assert [each.pairing.number for each in then.rounds[1].decided] == [2]
    first = told_until(told=told(tournament), stage=0, number=1, tables=[])
    assert [each.row.number for each in first.rounds] == [1]
    assert first.decided == []


# --- What pages say --------------------------------------------------------------------------------------------------


def test_hidden_results_are_named_by_the_round_that_comes_next() -> None:
    tournament = swiss()
    assert hidden_sentence(told=told(tournament)) == (
        "The results of round 2 are hidden until the organisers release them."
    )
    assert hidden_sentence(told=told(tournament, make_organiser())) == (
        "You see all results. Others do not see those of round 2 yet: you have to release them."
    )
    Tournament.objects.update(results="at_end")
    assert hidden_sentence(told=told(tournament)) == (
        "All results are hidden until the organisers release them at the end."
    )
    Tournament.objects.update(results="at_once")
    assert hidden_sentence(told=told(tournament)) == ""


def test_a_round_of_several_stages_is_named_with_its_stage() -> None:
    stages = [{"format": "swiss", "rounds": 1, "goes_on": 2}, {"format": "single_elimination"}]
    tournament = make_tournament("running", stages=stages, results="by_round")
    make_round(tournament, (1, 3), (2, 4), points=[(1, 0), (1, 0)], told=True)
    make_round(tournament, (1, 2), stage=1, number=1, points=[(1, 0)], told=False)
    assert hidden_sentence(told=told(tournament)) == (
        "The results of round 1 of stage 2 are hidden until the organisers release them."
    )
    found = rounds_by_stage(told=told(tournament))
    assert [(stage.number, stage.title, [each.title for each in stage.rounds]) for stage in found] == [
        (1, "Swiss, 1 round", ["Round 1"]),
        (2, "Single elimination", ["Final"]),
    ]


def test_a_round_that_a_reader_may_not_know_is_as_one_that_is_not_drawn() -> None:
    tournament = swiss()
    assert round_seen(told=told(tournament), stage=0, number=3) is None
    assert round_seen(told=told(tournament), stage=0, number=4) is None
    assert round_seen(told=told(tournament), stage=1, number=1) is None
    assert round_seen(told=told(tournament, make_organiser()), stage=0, number=3) is not None


def test_a_hidden_round_shows_who_meets_and_neither_points_nor_matches() -> None:
    seen = round_seen(told=told(swiss()), stage=0, number=2)
    assert seen is not None
    assert (seen.is_told, seen.decided, seen.live) == (False, 0, [])
    assert [[seat.name for seat in table.seats] for table in seen.tables] == [["Moat", "Keep"], ["Tower", "Gate"]]
    assert all(table.matches == [] and not table.winner for table in seen.tables)
    assert seen.tables[0].sentence == "Table 1: Moat, Keep, the result is hidden"


def test_a_table_is_told_in_one_sentence() -> None:
    tournament = make_tournament("running", stages=SWISS, entrants=5)
    make_round(tournament, (1, 3), (2, 4), (5,), points=[(1, 0), (0.5, 0.5), (1,)])
    make_round(tournament, (1, 2), (3, 4), (5,))
    first, second = rounds_seen(told=told(tournament))
    assert [table.sentence for table in first.tables] == [
        "Table 1: Moat 2, Tower 0, Moat goes on",
        "Table 2: Keep 1, Gate 1, a draw",
        "Table 3: Wall has a bye",
    ]
    assert second.tables[0].sentence == "Table 1: Moat, Keep, not decided"
    assert [table.is_tied for table in first.tables[:2]] == [False, True]


def test_points_of_matches_are_shown_where_there_were_any_and_else_those_of_the_table() -> None:
    tournament = make_tournament("running", stages=SWISS)
    make_round(tournament, (1, 3), (2, 4), points=[(1, 0), (1, 0)])
    table = tournament.rounds.get().tables.get(number=2)
    table.matches_counted, table.outcome, table.reason = 0, Outcome.BY_HAND, "A power cut."
    table.save()
    [seen] = rounds_seen(told=told(tournament))
    assert [[seat.shown for seat in each.seats] for each in seen.tables] == [[2, 0], [1, 0]]
    assert [each.has_games for each in seen.tables] == [True, False]
    assert seen.tables[1].reason == "A power cut."


def test_programs_get_the_matches_of_told_rounds_alone() -> None:
    tournament = swiss()
    first, second = rounds_shown(told=told(tournament))
    assert [len(table.matches) for table in first.tables] == [2, 2]
    assert [table.matches for table in second.tables] == [[], []]
    assert [each.is_told for each in (first, second)] == [True, False]


def test_an_entrant_without_a_seed_is_in_no_round() -> None:
    tournament = swiss("at_once")
    Entrant.objects.filter(number=4).update(number=None)
    assert sorted(told(tournament).rows) == [1, 2, 3]
