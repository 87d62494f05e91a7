"""Tournaments by the API: what is shown to whom, what organisers and entrants do, and each refusal."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from accounts.models import AuditEntry, User
from contests.models import Member
from ladder.models import Bot
from tests.api.conftest import client_of
from tests.contests.makers import make_contest
from tests.ladder.makers import make_user, make_version
from tests.tournaments.makers import make_round, make_tournament, make_versions
from tournaments.models import Table, Tournament

pytestmark = pytest.mark.django_db

HOME = "/api/v1/contests/kakomimasu/tournaments/"
ONE = f"{HOME}final/"
SWISS = [{"format": "swiss", "rounds": 3}]


@pytest.fixture
def oda() -> User:
    """An organiser of the contest."""
    user = make_user("oda")
    Member.objects.create(contest_id="kakomimasu", user=user, role=Member.Role.ORGANISER)
    return user


@pytest.fixture
def chief(oda: User) -> Client:
    return client_of(oda)


def post(client: Client, path: str, **sent: Any) -> Any:
    return client.post(f"{ONE}{path}/", sent, content_type="application/json")


def patch(client: Client, **sent: Any) -> Any:
    return client.patch(ONE, sent, content_type="application/json")


# --- Showing ---------------------------------------------------------------------------------------------------------


def test_a_tournament_is_shown_with_stages_and_entrants(client: Client) -> None:
    make_tournament("released", description="**Bold**", prizes="A cup")
    shown = client.get(ONE).json()
    assert (shown["slug"], shown["title"], shown["contest"]) == ("final", "Spring final", "kakomimasu")
    assert (shown["path"], shown["state"]) == ("/games/kakomimasu/tournaments/final/", "released")
    assert (shown["description"], shown["prizes"], shown["reason"]) == ("**Bold**", "A cup", "")
    [stage] = shown["stages"]
    assert (stage["format"], stage["best_of"], stage["extra_max"], stage["third_place"]) == (
        "single_elimination",
        1,
        2,
        False,
    )
    assert [(row["number"], row["name"], row["place"]) for row in shown["entrants"]] == [
        (1, "Moat", 1),
        (2, "Keep", 2),
        (3, "Tower", 3),
        (4, "Gate", 3),
    ]


def test_a_list_has_no_stages_and_tells_organisers_of_drafts(client: Client, chief: Client) -> None:
    make_tournament("draft", entrants=0)
    make_tournament("open", entrants=0, slug="cup")
    assert [row["slug"] for row in client.get(HOME).json()] == ["cup"]
    rows = chief.get(HOME).json()
    assert [row["slug"] for row in rows] == ["cup", "final"]
    assert not {"stages", "entrants", "description"} & set(rows[0])


def test_why_it_is_paused_is_told_to_everybody(client: Client) -> None:
    make_tournament("paused")
    assert client.get(ONE).json()["reason"] == "The hall has no electricity."


def test_places_are_hidden_from_entrants_and_told_to_organisers(chief: Client) -> None:
    tournament = make_tournament("finished", results="at_end")
    owner = client_of(tournament.entrants.get(number=1).bot.owner)
    assert {row["place"] for row in owner.get(ONE).json()["entrants"]} == {None}
    assert [row["place"] for row in chief.get(ONE).json()["entrants"]] == [1, 2, 3, 3]
    assert [row["place"] for row in chief.get(f"{ONE}places/").json()] == [1, 2, 3, 3]
    assert len({row["place"] for row in owner.get(f"{ONE}places/").json()}) == 1


def test_rounds_are_told_table_by_table(client: Client) -> None:
    make_tournament("running")
    first, second = client.get(f"{ONE}rounds/").json()
    assert (first["stage"], first["number"], first["is_told"]) == (1, 1, True)
    assert first["finished_at"] is not None
    assert second["finished_at"] is None
    seats = [[(seat["number"], seat["points"], seat["games"]) for seat in table["seats"]] for table in first["tables"]]
    assert seats == [[(1, 1.0, 2.0), (4, 0.0, 0.0)], [(2, 1.0, 2.0), (3, 0.0, 0.0)]]
    assert [(table["outcome"], table["winner"]) for table in first["tables"]] == [("played", 1), ("played", 2)]
    [final] = second["tables"]
    assert (final["outcome"], final["winner"], len(final["matches"])) == ("", 0, 2)
    assert [seat["points"] for seat in final["seats"]] == [None, None]


def test_standings_name_their_tie_breaks(client: Client) -> None:
    tournament = make_tournament("running", stages=SWISS)
    make_round(tournament, (1, 3), (2, 4), points=[(1, 0), (0.5, 0.5)])
    shown = client.get(f"{ONE}standings/").json()
    assert shown["stage"] == 1
    assert len(shown["tie_breaks"]) == len(shown["rows"][0]["tie_breaks"])
    first = shown["rows"][0]
    assert (first["place"], first["number"], first["points"]) == (1, 1, 1.0)
    assert (first["played"], first["wins"], first["draws"], first["losses"]) == (1, 1, 0, 0)
    assert (first["games"], first["games_played"], first["has_left"]) == (2.0, 2, False)


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("standings/?stage=2", 404),
        ("standings/?stage=0", 400),
        ("standings/?stage=x", 400),
        ("trf/?stage=2", 404),
        ("trf/?group=Z", 404),
        ("trf/?group=", 422),
    ],
)
def test_a_stage_that_there_is_not_is_refused(path: str, status: int, client: Client) -> None:
    make_tournament("released")
    answer = client.get(f"{ONE}{path}")
    assert answer.status_code == status
    assert answer.json()["detail"].endswith(".")


# --- Making and changing ---------------------------------------------------------------------------------------------


def test_a_draft_is_made_with_the_defaults_of_the_form(chief: Client) -> None:
    answer = chief.post(HOME, {"slug": "cup", "title": "Cup"}, content_type="application/json")
    assert (answer.status_code, answer["Location"]) == (201, f"{HOME}cup/")
    shown = answer.json()
    assert (shown["state"], shown["entry"], shown["results"], shown["stages"]) == ("draft", "sign_up", "at_once", [])
    assert AuditEntry.objects.get().act == "tournament_create"


@pytest.mark.parametrize(
    ("sent", "field"),
    [({"title": "Cup"}, "slug"), ({"slug": "cup"}, "title"), ({"slug": "cup", "title": ""}, "title")],
)
def test_a_draft_needs_a_key_and_a_title(sent: dict[str, str], field: str, chief: Client) -> None:
    answer = chief.post(HOME, sent, content_type="application/json")
    assert [error["field"] for error in answer.json()["errors"]] == [field]
    assert not Tournament.objects.exists()


def test_one_field_is_changed_and_the_others_stay(chief: Client) -> None:
    make_tournament("open", prizes="A cup")
    until = timezone.now().replace(microsecond=0) + timedelta(days=1)
    shown = patch(chief, title="Autumn final", entries_until=until.isoformat()).json()
    assert (shown["title"], shown["prizes"]) == ("Autumn final", "A cup")
    assert parse_datetime(shown["entries_until"]) == until
    assert patch(chief, entries_until=None).json()["entries_until"] is None
    assert patch(chief).status_code == 200


@pytest.mark.parametrize(
    ("sent", "status", "field"),
    [
        ({"results": "at_end"}, 422, "results"),
        ({"entry": "lottery"}, 400, "entry"),
        ({"entrants_max": 1}, 400, "entrants_max"),
        ({"stages": [{"rounds": 3}]}, 400, "stages.0.format"),
        ({"title": "x" * 101}, 400, "title"),
    ],
)
def test_what_cannot_be_changed_is_named(sent: dict[str, Any], status: int, field: str, chief: Client) -> None:
    make_tournament("drawn")
    answer = patch(chief, **sent)
    assert (answer.status_code, [error["field"] for error in answer.json()["errors"]]) == (status, [field])


# --- Acts ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("state", "act", "to"),
    [
        ("draft", "open", "open"),
        ("open", "draw", "drawn"),
        ("drawn", "take_back", "open"),
        ("drawn", "start", "running"),
        ("paused", "resume", "running"),
        ("finished", "release", "released"),
    ],
)
def test_an_act_answers_with_the_new_state(state: str, act: str, to: str, chief: Client, oda: User) -> None:
    make_tournament(state, results="at_end")
    answer = post(chief, "act", act=act)
    assert (answer.status_code, answer.json()["state"]) == (200, to)
    assert AuditEntry.objects.get().actor == oda


@pytest.mark.parametrize(
    ("state", "act", "more"),
    [
        ("released", "release", {}),
        ("draft", "draw", {}),
        ("running", "pause", {}),
        ("running", "pause", {"reason": " "}),
        ("finished", "take_back", {}),
        ("open", "resume", {}),
    ],
)
def test_an_act_that_cannot_be_is_refused_in_a_sentence(
    state: str, act: str, more: dict[str, str], chief: Client
) -> None:
    make_tournament(state)
    answer = post(chief, "act", act=act, **more)
    assert (answer.status_code, answer.json()["type"]) == (422, "/api/#refused")
    assert answer.json()["detail"].endswith(".")
    assert Tournament.objects.get().state == state


def test_an_act_that_there_is_not_is_malformed(chief: Client) -> None:
    make_tournament("open")
    for sent in ({"act": "wings"}, {}, {"act": "release_round", "stage": 0}, {"act": "pause", "reason": "x" * 501}):
        assert post(chief, "act", **sent).status_code == 400


@pytest.mark.parametrize("path", ["act", "entrants", "tables/1/decide"])
def test_others_learn_nothing_by_acting(path: str) -> None:
    """Whatever they send: the answer is the same as for a tournament that is not there."""
    make_contest("spring")
    make_tournament("running", contest="spring")
    eve = client_of(make_user("eve"))
    answers = {
        eve.post(f"/api/v1/contests/spring/tournaments/{slug}/{path}/", sent, content_type="application/json").content
        for slug in ("final", "nothing")
        for sent in ({}, {"act": "pause", "bot": 1})
    }
    assert len(answers) == 1


# --- Entrants and tables ---------------------------------------------------------------------------------------------


def test_a_bot_is_entered_and_its_place_is_not_told_yet(chief: Client) -> None:
    [version] = make_versions(1)
    make_tournament("open", entrants=[], entry="sign_up")
    owner = client_of(version.bot.owner)
    entered = post(owner, "entrants", bot=version.bot_id)
    assert entered.status_code == 201
    shown = entered.json()
    assert (shown["bot"], shown["name"], shown["owner"], shown["version"]) == (version.bot_id, "Moat", "moat-owner", 1)
    assert (shown["number"], shown["rating"], shown["place"], shown["left"]) == (None, None, None, "")
    assert post(owner, "entrants", bot=version.bot_id).status_code == 422
    assert post(owner, "entrants", bot=10**9).status_code == 404
    assert post(owner, "entrants").status_code == 400
    assert post(client_of(None), "entrants", bot=version.bot_id).status_code == 401


def test_a_bot_that_one_does_not_see_is_not_entered(chief: Client) -> None:
    """The attack: an organiser enters keys, and learns which bots private contests have."""
    hidden = make_contest("spring")
    bot = make_version(Bot.objects.create(owner=make_user("bob"), contest=hidden, game=hidden.game, name="Moat")).bot
    make_tournament("open", entrants=[], entry="list")
    answers = [post(chief, "entrants", bot=key) for key in (bot.pk, 10**9)]
    assert [answer.status_code for answer in answers] == [404, 404]
    assert answers[0].json() == answers[1].json()


def test_an_entrant_of_another_tournament_is_not_found_here(chief: Client) -> None:
    make_tournament("open", entrants=2)
    other = make_tournament("open", entrants=make_versions(2, prefix="Other "), slug="cup")
    entrant = other.entrants.all()[0]
    assert chief.delete(f"{ONE}entrants/{entrant.pk}/").status_code == 404
    assert post(chief, f"entrants/{entrant.pk}/leave", left="withdrawn", reason="Why.").status_code == 404
    assert other.entrants.count() == 2


def test_an_organiser_disqualifies_with_a_reason(chief: Client) -> None:
    entrant = make_tournament("running").entrants.get(number=1)
    shown = post(chief, f"entrants/{entrant.pk}/leave", left="disqualified", reason="It was copied.").json()
    row = shown["entrants"][0]
    assert (row["left"], row["left_reason"]) == ("disqualified", "It was copied.")
    assert post(chief, f"entrants/{entrant.pk}/leave", left="flown").status_code == 400


@pytest.mark.parametrize(
    ("points", "status"), [([1, 0], 200), ([0.5, 0.5], 200), ([1], 422), ([2, 0], 400), (["x", 0], 400), ([1] * 9, 400)]
)
def test_a_table_is_decided_by_points_of_each_seat(points: list[Any], status: int, chief: Client) -> None:
    make_tournament("running")
    final = Table.objects.get(round__number=2)
    answer = post(chief, f"tables/{final.pk}/decide", points=points, reason="A power cut.")
    assert answer.status_code == status
    final.refresh_from_db()
    assert final.outcome == ("by_hand" if status == 200 else "")
    if status == 200:
        [table] = answer.json()[-1]["tables"]
        assert (table["reason"], [seat["points"] for seat in table["seats"]]) == ("A power cut.", points)


def test_a_table_of_another_tournament_is_not_decided_here(chief: Client) -> None:
    make_tournament("running")
    make_tournament("running", entrants=make_versions(4, prefix="Other "), slug="cup")
    table = Table.objects.get(round__tournament__slug="cup", round__number=2)
    assert post(chief, f"tables/{table.pk}/decide", points=[1, 0], reason="Why.").status_code == 404
    table.refresh_from_db()
    assert table.outcome == ""
