"""Contests by the API: who sees which, what an answer says, and what organisers do with their own."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from accounts.models import AuditEntry, User
from contests.models import Contest, Member
from tests.api.conftest import client_of
from tests.contests.makers import make_contest
from tests.ladder.makers import make_rating, make_standings, make_user, make_version
from tests.matches.makers import make_version as make_other

pytestmark = pytest.mark.django_db

SPRING = "/api/v1/contests/spring/"


@pytest.fixture
def contest() -> Contest:
    return make_contest(description="**Bold**", prizes="A cup")


@pytest.fixture
def oda(contest: Contest) -> User:
    """An organiser of the contest."""
    return member(contest, "oda", Member.Role.ORGANISER)


def member(contest: Contest, name: str, role: str = Member.Role.PARTICIPANT) -> User:
    user = make_user(name)
    Member.objects.create(contest=contest, user=user, role=role)
    return user


def slugs(client: Client, **query: str) -> list[str]:
    return [row["slug"] for row in client.get("/api/v1/contests/", query).json()]


def post(user: User, path: str, **sent: Any) -> Any:
    return client_of(user).post(f"{SPRING}{path}/", sent, content_type="application/json")


# --- Who sees what ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("visibility", "listed", "found"), [("public", True, True), ("unlisted", False, True), ("private", False, False)]
)
def test_strangers_see_what_its_visibility_says(visibility: str, listed: bool, found: bool, client: Client) -> None:
    make_contest(visibility=visibility)
    assert ("spring" in slugs(client)) is listed
    paths = ("", "board/", "guide/", "downloads/", "tournaments/")
    statuses = {client.get(f"{SPRING}{path}").status_code for path in paths}
    assert statuses == ({200} if found else {404})
    assert client.get(f"{SPRING}log/").status_code == (302 if found else 404)


def test_a_private_contest_is_there_for_members_and_administrators(contest: Contest) -> None:
    for user in (member(contest, "carol"), make_user("root", is_staff=True)):
        assert "spring" in slugs(client_of(user))
        assert client_of(user).get(SPRING).status_code == 200
    assert client_of(make_user("eve")).get(SPRING).status_code == 404


def test_a_private_contest_and_none_at_all_are_answered_alike(contest: Contest, client: Client) -> None:
    """The attack: somebody tries names, and learns which private contests there are."""
    answers = [client.get(path).json() for path in (SPRING, "/api/v1/contests/nothing/")]
    assert answers[0] == answers[1]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"game": "kakomimasu"}, {"kakomimasu", "spring", "autumn"}),
        ({"game": "kakomimasu", "state": "paused"}, {"autumn"}),
        ({"game": "no-game"}, set()),
    ],
)
def test_a_list_is_filtered_by_game_and_state(query: dict[str, str], expected: set[str], client: Client) -> None:
    make_contest(visibility="public")
    make_contest("autumn", visibility="public", state="paused")
    assert set(slugs(client, **query)) == expected


def test_a_state_that_does_not_exist_is_refused_by_its_field(client: Client) -> None:
    answer = client.get("/api/v1/contests/", {"state": "asleep"})
    assert answer.status_code == 400
    assert [error["field"] for error in answer.json()["errors"]] == ["state"]


# --- What an answer says ---------------------------------------------------------------------------------------------


def test_an_open_contest_of_a_game_says_that_it_is_one(client: Client) -> None:
    shown = client.get("/api/v1/contests/kakomimasu/").json()
    assert (shown["is_open_contest"], shown["path"], shown["game"]) == (True, "/games/kakomimasu/", "kakomimasu")


def test_a_contest_is_shown_with_what_its_page_says(contest: Contest, oda: User) -> None:
    shown = client_of(oda).get(SPRING).json()
    assert (shown["title"], shown["path"], shown["is_open_contest"]) == ("Spring cup", "/contests/spring/", False)
    assert (shown["description"], shown["prizes"], shown["visibility"]) == ("**Bold**", "A cup", "private")
    assert sum(shown["tables"].values()) == pytest.approx(1)
    assert all(size.isdecimal() for size in shown["tables"])
    assert shown["limits"]["memory_mib"] > 0
    assert (shown["finals"], shown["winners"], shown["board_digest"]) == (None, [], "")


@pytest.mark.parametrize(("role", "shown"), [("organiser", "organiser"), ("participant", "participant"), ("", "")])
def test_a_caller_is_told_his_own_role(role: str, shown: str) -> None:
    contest = make_contest(visibility="public")
    user = member(contest, "carol", role) if role else make_user("carol")
    assert client_of(user).get(SPRING).json()["role"] == shown
    assert client_of(None).get(SPRING).json()["role"] == ""


def test_the_finals_of_a_frozen_contest_say_how_far_they_are() -> None:
    make_contest(visibility="public", state="frozen", final_stage=Contest.FinalStage.PLAYING, frozen_at=timezone.now())
    finals = client_of(None).get(SPRING).json()["finals"]
    assert finals["stage"] == Contest.FinalStage.PLAYING
    assert (finals["builds"], finals["games"]) == (0, 0)
    assert finals["sentence"].endswith(".")


def test_the_guide_is_the_text_of_the_page(client: Client) -> None:
    guide = client.get("/api/v1/contests/kakomimasu/guide/").json()
    assert (guide["contest"], guide["game"]) == ("kakomimasu", "kakomimasu")
    assert "\n#" in f"\n{guide['text']}"
    assert "<p>" not in guide["text"]


def test_the_log_of_a_contest_is_where_its_page_has_it(client: Client) -> None:
    answer = client.get("/api/v1/contests/kakomimasu/log/")
    assert answer.status_code == 302
    assert client.get(answer["Location"]).status_code == 200


def test_the_board_is_the_same_by_contest_and_by_game(client: Client) -> None:
    make_rating(make_version())
    make_standings()
    boards = [client.get(f"/api/v1/{path}/kakomimasu/board/").json() for path in ("contests", "games")]
    assert boards[0] == boards[1]
    assert [row["name"] for row in boards[0]["rows"]] == ["Moat"]


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ({}, ["Moat", "Wall"]),
        ({"name": "oat"}, ["Moat"]),
        ({"owner": "Wall owner"}, ["Wall"]),
        ({"language": "rust"}, ["Wall"]),
        ({"language": "cobol"}, []),
        ({"league": "Makuuchi"}, []),
    ],
)
def test_a_board_is_filtered(query: dict[str, str], names: list[str], client: Client) -> None:
    make_rating(make_version(), 1600.0)
    make_rating(make_other("Wall", language="rust"), 1500.0)
    make_standings()
    board = client.get("/api/v1/games/kakomimasu/board/", query).json()
    assert [row["name"] for row in board["rows"]] == names
    assert (board["newer"], board["older"]) == ("", "")


def test_a_league_that_does_not_exist_is_refused(client: Client) -> None:
    answer = client.get("/api/v1/games/kakomimasu/board/", {"league": "First"})
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (400, "league")


def test_a_game_of_another_arena_is_not_found(client: Client) -> None:
    for path in ("", "board/", "log/"):
        assert client.get(f"/api/v1/games/no-game/{path}").status_code == 404


def test_the_board_over_all_games_ranks_owners(client: Client) -> None:
    make_rating(make_version(), 1600.0)
    make_rating(make_other("Wall"), 1500.0)
    make_standings()
    rows = client.get("/api/v1/board/").json()
    assert [(row["rank"], row["owner"], row["points"]) for row in rows] == [
        (1, "alice", 100.0),
        (2, "Wall owner", 50.0),
    ]
    games = [row["name"] for row in client.get("/api/v1/games/").json()]
    assert len(rows[0]["ranks"]) == len(rows[0]["provisional"]) == len(games)


# --- What organisers do ----------------------------------------------------------------------------------------------


def test_an_organiser_pauses_and_opens_a_contest_with_a_reason(oda: User) -> None:
    paused = post(oda, "state", state="paused", reason="The hall has no electricity.")
    assert (paused.status_code, paused.json()["state"], paused.json()["reason"]) == (
        200,
        "paused",
        "The hall has no electricity.",
    )
    opened = post(oda, "state", state="open").json()
    assert (opened["state"], opened["reason"]) == ("open", "")
    assert [entry.actor for entry in AuditEntry.objects.all()] == [oda, oda]


def test_a_state_that_it_has_already_is_refused_by_a_sentence(oda: User) -> None:
    answer = post(oda, "state", state="open")
    assert (answer.status_code, answer.json()["type"]) == (422, "/api/#refused")
    assert answer.json()["detail"].startswith("This contest is in this state already")


def test_an_organiser_sets_and_takes_back_the_deadline(oda: User) -> None:
    until = timezone.now().replace(microsecond=0) + timedelta(days=1)
    shown = post(oda, "deadline", until=until.isoformat()).json()
    assert parse_datetime(shown["entries_until"]) == until
    assert post(oda, "deadline", until=None).json()["entries_until"] is None


@pytest.mark.parametrize("until", ["2026-11-28", "soon", 7])
def test_a_deadline_is_a_moment(until: object, oda: User) -> None:
    answer = post(oda, "deadline", until=until)
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (400, "until")
    assert post(oda, "deadline").status_code == 400


def test_an_organiser_lowers_limits_and_resets_them(oda: User) -> None:
    installed = client_of(oda).get(SPRING).json()["limits"]
    lowered = post(oda, "limits", limits={"memory_mib": installed["memory_mib"] - 1}).json()["limits"]
    assert lowered == {**installed, "memory_mib": installed["memory_mib"] - 1}
    assert post(oda, "limits", limits={}).json()["limits"] == installed


@pytest.mark.parametrize(
    ("limits", "status"), [({"wings": 2}, 422), ({"memory_mib": -1}, 400), ({"memory_mib": "much"}, 400), ("none", 400)]
)
def test_limits_that_cannot_be_given_are_refused(limits: object, status: int, oda: User) -> None:
    answer = post(oda, "limits", limits=limits)
    assert answer.status_code == status
    assert answer.json()["detail"].endswith(".")


@pytest.mark.parametrize(
    ("path", "sent"), [("state", {"state": "paused"}), ("deadline", {"until": None}), ("limits", {"limits": {}})]
)
def test_nobody_else_does_so(path: str, sent: dict[str, Any], contest: Contest, oda: User) -> None:
    """Members learn no more than strangers: 404, whatever they send."""
    for user in (member(contest, "carol"), make_user("eve")):
        for body in (sent, {"nonsense": 1}):
            assert post(user, path, **body).status_code == 404
    assert client_of(None).post(f"{SPRING}{path}/", sent, content_type="application/json").status_code == 401
    assert not AuditEntry.objects.exists()
    contest.refresh_from_db()
    assert contest.state == "open"


def test_an_archived_contest_changes_no_more() -> None:
    contest = make_contest(visibility="public", state="archived")
    staff = make_user("root", is_staff=True)
    assert contest.state == "archived"
    for path, sent in (("deadline", {"until": None}), ("limits", {"limits": {}}), ("state", {"state": "open"})):
        answer = post(staff, path, **sent)
        assert (answer.status_code, answer.json()["type"]) == (422, "/api/#refused")
