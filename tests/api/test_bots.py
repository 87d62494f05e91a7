"""Bots by the API: what is shown, deleted, compared and challenged, and each refusal in a sentence."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from ladder.models import Bot, BotVersion, RatingPoint
from matches.models import HeadToHead, Match
from tests.api.conftest import Arena, client_of
from tests.contests.makers import make_contest
from tests.ladder.makers import make_bot, make_rating, make_user, make_version

pytestmark = pytest.mark.django_db


def post(client: Client, path: str, **sent: Any) -> Any:
    return client.post(path, sent, content_type="application/json")


def test_a_bot_is_shown_with_its_newest_versions(arena: Arena, client: Client) -> None:
    shown = client.get(arena.path("bots/{bot}/")).json()
    assert (shown["name"], shown["owner"], shown["contest"], shown["team"]) == ("Moat", "alice", "kakomimasu", None)
    assert [row["id"] for row in shown["versions"]] == [arena.version.pk, arena.old.pk]
    assert [row["state"] for row in shown["versions"]] == ["active", "retired"]
    newest, oldest = shown["versions"]
    assert newest["rating"] == 1500.0
    assert newest["interval"] > 0
    assert (oldest["rating"], oldest["interval"], oldest["games"]) == (None, None, None)


def test_a_bot_of_a_private_contest_is_there_for_its_members_alone(client: Client) -> None:
    make_contest("spring")
    bot = Bot.objects.create(owner=make_user("alice"), contest_id="spring", game="kakomimasu", name="Moat")
    make_version(bot)
    paths = [f"/api/v1/bots/{bot.pk}/{path}" for path in ("", "versions/", "matches/", "rating/", "opponents/")]
    assert {client.get(path).status_code for path in paths} == {404}
    staff = client_of(make_user("root", is_staff=True))
    assert {staff.get(path).status_code for path in paths} == {200}


def test_an_account_says_who_one_is(arena: Arena) -> None:
    shown = arena.client("owner").get("/api/v1/account/").json()
    assert (shown["username"], shown["is_staff"], shown["unread"]) == ("alice", False, 1)
    assert [bot["name"] for bot in shown["bots"]] == ["Moat"]
    assert arena.client("staff").get("/api/v1/account/").json()["is_staff"]


# --- Deleting --------------------------------------------------------------------------------------------------------


@pytest.fixture
def rejected() -> Bot:
    """A bot of which no version was accepted, uploaded long ago."""
    bot = make_bot()
    version = make_version(bot, state=BotVersion.State.REJECTED, artifact_digest="")
    BotVersion.objects.filter(pk=version.pk).update(created_at=timezone.now() - timedelta(days=1))
    return bot


def test_a_bot_that_was_never_accepted_is_deleted_by_its_owner_alone(rejected: Bot) -> None:
    path = f"/api/v1/bots/{rejected.pk}/"
    assert client_of(make_user("eve")).delete(path).status_code == 404
    assert client_of(None).delete(path).status_code == 401
    answer = client_of(rejected.owner).delete(path)
    assert (answer.status_code, answer.content) == (204, b"")
    assert not Bot.objects.exists()
    assert client_of(rejected.owner).delete(path).status_code == 404


def test_a_bot_that_was_uploaded_just_now_is_not_deleted(rejected: Bot) -> None:
    BotVersion.objects.update(created_at=timezone.now())
    answer = client_of(rejected.owner).delete(f"/api/v1/bots/{rejected.pk}/")
    assert (answer.status_code, answer.json()["type"]) == (422, "/api/#refused")
    assert Bot.objects.exists()


# --- Ratings and opponents -------------------------------------------------------------------------------------------


def test_ratings_over_time_are_told_version_after_version(arena: Arena, client: Client) -> None:
    now = timezone.now()
    for version, rating in ((arena.old, 1400.0), (arena.version, 1500.0)):
        RatingPoint.objects.create(version=version, rating=rating, standard_error=20.0, games=20, at=now)
    path = arena.path("bots/{bot}/rating/")
    assert [(row["version"], row["rating"]) for row in client.get(path).json()] == [(1, 1400.0), (2, 1500.0)]
    assert [row["version"] for row in client.get(path, {"version": 2}).json()] == [2]
    assert client.get(path, {"version": 3}).json() == []
    for wrong in ("0", "-1", "v2", str(2**31)):
        answer = client.get(path, {"version": wrong})
        assert (answer.status_code, answer.json()["errors"][0]["field"]) == (400, "version")


@pytest.mark.parametrize("query", [{"sort": "wings"}, {"page": "0"}, {"page": "x"}, {"page": "10001"}])
def test_a_page_of_opponents_is_asked_for_rightly(query: dict[str, str], arena: Arena, client: Client) -> None:
    answer = client.get(arena.path("bots/{bot}/opponents/"), query)
    assert (answer.status_code, [error["field"] for error in answer.json()["errors"]]) == (400, list(query))


def test_results_against_each_opponent_are_told(arena: Arena, client: Client) -> None:
    HeadToHead.objects.create(bot=arena.bot, opponent=arena.other, games=4, wins=2, draws=1, losses=1)
    [row] = client.get(arena.path("bots/{bot}/opponents/")).json()["rows"]
    assert (row["opponent"], row["name"], row["games"], row["score"]) == (arena.other.pk, "Wall", 4, 2.5)
    assert (row["expected"], row["difference"]) == (None, None), "the opponent has no rating"
    make_rating(arena.other.versions.get(), 1500.0)
    [row] = client.get(arena.path("bots/{bot}/opponents/")).json()["rows"]
    assert row["expected"] == pytest.approx(2.0)
    assert row["difference"] == pytest.approx(0.5)


def test_two_bots_of_one_contest_are_compared(arena: Arena, client: Client) -> None:
    shown = client.get(arena.path("bots/{bot}/compare/{other}/")).json()
    assert [(side["bot"], side["name"]) for side in (shown["first"], shown["second"])] == [
        (arena.bot.pk, "Moat"),
        (arena.other.pk, "Wall"),
    ]
    assert (shown["met"], shown["common"]) == (None, [])
    HeadToHead.objects.create(bot=arena.bot, opponent=arena.other, games=1, wins=1)
    assert client.get(arena.path("bots/{bot}/compare/{other}/")).json()["met"]["wins"] == 1


def test_a_bot_is_not_compared_with_itself_or_one_of_another_contest(arena: Arena, client: Client) -> None:
    make_contest("spring", visibility="public")
    elsewhere = Bot.objects.create(owner=arena.owner, contest_id="spring", game="kakomimasu", name="Moat")
    make_version(elsewhere)
    for other in (arena.bot.pk, elsewhere.pk):
        answer = client.get(f"{arena.path('bots/{bot}/compare/')}{other}/")
        assert answer.status_code == 404
        assert answer.json()["detail"] == "Please compare two different bots of the same contest."


# --- Challenges ------------------------------------------------------------------------------------------------------


def test_a_challenge_is_played_from_both_seats_and_once_at_a_time(arena: Arena) -> None:
    BotVersion.objects.filter(bot=arena.other).update(artifact_digest="f" * 64)
    owner, path = arena.client("owner"), arena.path("bots/{other}/challenge/")
    answer = post(owner, path, bot=arena.bot.pk)
    assert answer.status_code == 201
    matches = answer.json()
    seats = [[seat["bot"] for seat in match["seats"]] for match in matches]
    assert seats == [[arena.bot.pk, arena.other.pk], [arena.other.pk, arena.bot.pk]]
    assert {match["kind"] for match in matches} == {"challenge"}
    assert len({match["seed"] for match in matches}) == 1
    assert [match["id"] for match in post(owner, path, bot=arena.bot.pk).json()] == [match["id"] for match in matches]
    assert Match.objects.filter(kind="challenge").count() == 2


@pytest.mark.parametrize(
    ("challenger", "challenged", "word"),
    [
        ("other", "bot", "Choose one of your own bots"),
        ("bot", "bot", "A bot cannot challenge itself"),
        ("bot", "other", "Both bots are the same program"),
    ],
)
def test_a_challenge_that_cannot_be_is_refused_by_a_sentence(
    challenger: str, challenged: str, word: str, arena: Arena
) -> None:
    path = arena.path(f"bots/{{{challenged}}}/challenge/")
    answer = post(arena.client("owner"), path, bot=getattr(arena, challenger).pk)
    assert (answer.status_code, answer.json()["type"]) == (422, "/api/#refused")
    assert answer.json()["detail"].startswith(word)
    assert not Match.objects.filter(kind="challenge").exists()


def test_a_challenge_names_a_bot_that_one_sees(arena: Arena) -> None:
    path = arena.path("bots/{other}/challenge/")
    assert post(arena.client("owner"), path, bot=10**9).status_code == 404
    for sent in ({}, {"bot": "Moat"}, {"bot": 0}):
        assert post(arena.client("owner"), path, **sent).status_code == 400
