"""Who is notified of what in a tournament, in which words, and what a hall is shown in which words."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import translation

from accounts.models import Notification, User
from accounts.news_kinds import news_kind
from contests.models import Team, TeamMember
from ladder.models import Bot, BotEvent
from matches.models import Match
from tests.ladder.makers import make_user
from tests.tournaments.makers import make_round, make_tournament
from tests.visitors import signed_in
from tournaments.models import Entrant, Table, Tournament
from tournaments.selectors.loading import tournament_told
from tournaments.selectors.show import Scene, Show, StepKind, may_show, scene_of, show_of
from tournaments.services.entries import entrant_leave
from tournaments.services.releasing import faults_notify, rounds_tell
from tournaments.services.tournaments import round_release, tournament_release, tournament_start

pytestmark = pytest.mark.django_db

SWISS = [{"format": "swiss", "rounds": 2}]
TOURNAMENT_KINDS = ("tournament_begins", "tournament_left", "tournament_faults", "tournament_over")


@pytest.fixture
def staff() -> User:
    return make_user("root", is_staff=True)


def told(kind: str) -> dict[str, str]:
    """Return the sentences of a kind of notification by reader."""
    rows = Notification.objects.filter(kind=kind).select_related("reader")
    return {row.reader.username: row.text for row in rows}


# --- Notifications ---------------------------------------------------------------------------------------------------


def test_owners_are_told_that_it_begins_and_with_which_version() -> None:
    tournament = make_tournament("drawn")
    tournament_start(tournament=tournament.pk, actor=None)
    begins = told("tournament_begins")
    assert set(begins) == {"moat-owner", "keep-owner", "tower-owner", "gate-owner"}
    assert begins["moat-owner"] == "The tournament Spring final has begun: Moat v1 plays in it."


def test_who_did_not_get_in_is_not_told_that_it_begins() -> None:
    tournament = make_tournament("drawn")
    Entrant.objects.filter(tournament=tournament, number=4).update(number=None)
    Table.objects.filter(number=1).delete()
    tournament_start(tournament=tournament.pk, actor=None)
    assert "gate-owner" not in told("tournament_begins")


@pytest.mark.parametrize(
    ("left", "sentence"),
    [
        ("withdrawn", "An organiser has withdrawn Moat from the tournament Spring final."),
        ("disqualified", "An organiser has disqualified Moat from the tournament Spring final. Its page says why."),
    ],
)
def test_an_owner_is_told_what_an_organiser_did(left: str, sentence: str, staff: User) -> None:
    entrant = make_tournament("running").entrants.get(number=1)
    entrant_leave(entrant=entrant.pk, left=Entrant.Left(left), reason="It was copied.", actor=staff)
    assert told("tournament_left") == {"moat-owner": sentence}


def test_an_owner_is_not_told_what_he_did_himself() -> None:
    entrant = make_tournament("running").entrants.get(number=1)
    entrant_leave(entrant=entrant.pk, left=Entrant.Left.WITHDRAWN, reason="", actor=entrant.bot.owner)
    assert told("tournament_left") == {}


def test_places_are_told_with_the_release_once() -> None:
    tournament = make_tournament("finished", results="at_end")
    assert told("tournament_over") == {}
    tournament_release(tournament=tournament.pk, actor=None)
    over = told("tournament_over")
    assert over["moat-owner"] == "The tournament Spring final is over: Moat came in place 1 of 4."
    assert over["gate-owner"] == "The tournament Spring final is over: Gate came in place 3 of 4."
    assert BotEvent.objects.filter(kind="tournament").count() == 4, "followers of the bots learn it, too"


def test_all_members_of_a_team_are_told() -> None:
    tournament = make_tournament("drawn")
    moat = Bot.objects.get(name="Moat")
    ann, ben = make_user("ann"), make_user("ben")
    team = Team.objects.create(contest_id="kakomimasu", name="Masons", captain=ann)
    for member in (ann, ben):
        TeamMember.objects.create(contest_id="kakomimasu", team=team, user=member)
    Bot.objects.filter(pk=moat.pk).update(team=team)
    tournament_start(tournament=tournament.pk, actor=None)
    assert {"ann", "ben"} <= set(told("tournament_begins"))


def test_a_bot_at_fault_in_a_stage_is_told_once_and_after_its_results() -> None:
    tournament = make_tournament("finished", results="at_end")
    loser = tournament.entrants.get(number=4)
    for match in Match.objects.filter(seats__version=loser.version):
        match.seats.filter(version=loser.version).update(verdict="crashed")
    faults_notify(tournament=tournament)
    assert told("tournament_faults") == {}, "its results are hidden"
    tournament_release(tournament=tournament.pk, actor=None)
    faults_notify(tournament=Tournament.objects.get())
    assert list(told("tournament_faults")) == ["gate-owner"]
    assert Notification.objects.filter(kind="tournament_faults").count() == 1


@pytest.mark.parametrize("language", ["en", "ja", "ru"])
@pytest.mark.parametrize("kind", TOURNAMENT_KINDS)
def test_every_kind_leads_to_the_tournament_and_speaks_the_readers_language(kind: str, language: str) -> None:
    values = {"tournament": "Cup", "name": "Moat", "number": 3, "contest_place": "games/kakomimasu", "slug": "cup"}
    values |= {"place": 1, "entrants": 8, "bot": 1, "is_house": False}
    if kind == "tournament_left":
        values |= {"outcome": "withdrawn"}
    row = Notification(kind=kind, values=values, occasion="once")
    with translation.override(language):
        assert "Cup" in row.text
        assert "%" not in row.text
    assert row.url == "/games/kakomimasu/tournaments/cup/"
    topic = news_kind(kind).topic
    assert topic is not None
    assert topic.name == "tournament"


# --- Releasing -------------------------------------------------------------------------------------------------------


def test_released_rounds_show_their_matches_to_everybody(client: Client) -> None:
    tournament = make_tournament("finished", results="by_round")
    first, second = tournament.rounds.order_by("number")
    of_first = list(Match.objects.filter(table_match__table__round=first))
    Match.objects.update(is_hidden=True)
    rounds_tell(rounds=[first])
    assert set(Match.objects.filter(is_hidden=False)) == set(of_first)
    first.refresh_from_db()
    second.refresh_from_db()
    assert first.released_at is not None
    assert second.released_at is None
    assert client.get(f"/matches/{of_first[0].pk}/").status_code == 200
    hidden = Match.objects.filter(is_hidden=True)[0]
    assert client.get(f"/matches/{hidden.pk}/").status_code == 404


def test_rounds_are_released_in_their_order() -> None:
    tournament = make_tournament("finished", results="by_round")
    assert [round_release(tournament=tournament.pk, actor=None).number for _ in range(2)] == [1, 2]
    tournament.refresh_from_db()
    assert tournament.state == "finished", "places are told by the release of the tournament alone"
    assert told("tournament_over") == {}


# --- The hall --------------------------------------------------------------------------------------------------------


def show(tournament: Tournament, reader: User) -> Show:
    return show_of(tournament=Tournament.objects.get(pk=tournament.pk), reader=reader)


def scenes(tournament: Tournament, reader: User) -> list[Scene]:
    """Return all scenes of the show, each read anew: a scene leaves out of what it reads what comes later."""
    numbers = range(len(show(tournament, reader).steps))
    found = [scene_of(show=show(tournament, reader), number=number) for number in numbers]
    return [scene for scene in found if scene is not None]


def test_each_step_says_where_it_is(staff: User) -> None:
    found = scenes(make_tournament("finished"), staff)
    where = [scene.where for scene in found if not scene.step.is_extra]
    assert where[:6] == ["", "Semi-finals", "Semi-final 1", "Semi-final 1", "Semi-final 2", "Semi-final 2"]
    assert where[6:9] == ["Final", "Final", "Final"]
    assert where[9:] == ["", "", ""]


def test_a_step_of_several_stages_names_its_stage(staff: User) -> None:
    stages = [{"format": "swiss", "rounds": 1, "goes_on": 2}, {"format": "single_elimination"}]
    tournament = make_tournament("finished", stages=stages)
    make_round(tournament, (1, 3), (2, 4), points=[(1, 0), (1, 0)])
    make_round(tournament, (1, 2), stage=1, number=1, points=[(1, 0)])
    results = [scene for scene in scenes(tournament, staff) if scene.step.kind == StepKind.RESULT]
    assert [scene.where for scene in results] == [
        "Stage 1 · Round 1 · Table 1",
        "Stage 1 · Round 1 · Table 2",
        "Stage 2 · Final",
    ]
    assert [scene.stage_title for scene in results] == ["Swiss, 1 round"] * 2 + ["Single elimination"]


def test_a_result_of_a_knockout_says_what_the_winner_has_won(staff: User) -> None:
    results = [scene for scene in scenes(make_tournament("finished"), staff) if scene.step.kind == StepKind.RESULT]
    assert [scene.ending for scene in results] == [
        "Moat goes on.",
        "Keep goes on.",
        "Moat wins the tournament.",
    ]


def test_a_tie_that_the_seed_decides_says_so(staff: User) -> None:
    tournament = make_tournament("finished")
    table = Table.objects.get(round__number=1, number=1)
    table.seats.update(points=0.5)
    results = [scene for scene in scenes(tournament, staff) if scene.step.kind == StepKind.RESULT]
    assert results[0].ending == "Equal also after further encounters: Moat goes on by its better seed number."


def test_before_a_match_the_score_so_far_is_shown(staff: User) -> None:
    matches = [scene for scene in scenes(make_tournament("finished"), staff) if scene.step.kind == StepKind.MATCH]
    first, second = matches[:2]
    assert first.score_before == []
    assert second.score_before == [("Moat", 1.0), ("Gate", 0.0)]
    assert (first.step.is_extra, second.step.is_extra) == (True, False)


def test_byes_are_named_with_their_round_and_have_no_steps(staff: User) -> None:
    tournament = make_tournament("finished", stages=SWISS, entrants=3)
    make_round(tournament, (1, 2), (3,), points=[(1, 0), (1,)])
    found = scenes(tournament, staff)
    [round_] = [scene for scene in found if scene.step.kind == StepKind.ROUND]
    assert round_.byes == ["Tower"]
    assert {scene.step.table for scene in found if scene.step.kind == StepKind.RESULT} == {1}


def test_the_podium_is_filled_from_the_third_place_up(staff: User) -> None:
    podium = [scene for scene in scenes(make_tournament("finished"), staff) if scene.step.kind == StepKind.PODIUM]
    shown = [{place: len(rows) for place, rows in scene.podium} for scene in podium]
    assert shown == [{1: 0, 2: 0, 3: 2}, {1: 0, 2: 1, 3: 2}, {1: 1, 2: 1, 3: 2}]
    assert [len(scene.places) for scene in podium] == [0, 0, 4]


def test_a_place_that_nobody_has_is_left_out(staff: User) -> None:
    tournament = make_tournament("finished", stages=SWISS, entrants=2)
    make_round(tournament, (1, 2), points=[(1, 0)])
    assert [scene.step.place for scene in scenes(tournament, staff) if scene.step.kind == StepKind.PODIUM] == [2, 1]


@pytest.mark.parametrize(
    ("state", "organisers", "others"),
    [("draft", False, False), ("open", False, False), ("drawn", True, False), ("running", True, False)],
)
def test_organisers_open_the_show_from_the_draw_on(state: str, organisers: bool, others: bool, staff: User) -> None:
    tournament = make_tournament(state)
    assert may_show(tournament=tournament, reader=staff) is organisers
    assert may_show(tournament=tournament, reader=make_user("eve")) is others


def test_everybody_opens_it_after_the_release(staff: User) -> None:
    tournament = make_tournament("released")
    assert may_show(tournament=tournament, reader=make_user("eve"))
    told_ = tournament_told(tournament=tournament, reader=None)
    assert len(show(tournament, make_user("bob")).told.decided) == len(told_.decided) == 3


def test_a_step_that_there_is_not_is_404(staff: User) -> None:
    tournament = make_tournament("finished")
    found = show(tournament, staff)
    assert scene_of(show=found, number=len(found.steps)) is None
    client = signed_in(staff)
    here = "/games/kakomimasu/tournaments/final/show/"
    assert client.get(f"{here}steps/{len(found.steps) - 1}/").status_code == 200
    assert client.get(f"{here}steps/{len(found.steps)}/").status_code == 404


@pytest.mark.parametrize("step", ["", "x", "-1", "999", str(10**20)])
def test_what_was_not_shown_is_not_released(step: str, staff: User) -> None:
    tournament = make_tournament("finished", results="by_round")
    answer = signed_in(staff).post("/games/kakomimasu/tournaments/final/show/release/", {"step": step})
    assert (answer.status_code, answer.json()["error"]) == (422, "The show has no such step.")
    assert not tournament.rounds.exclude(released_at=None).exists()
