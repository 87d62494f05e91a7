"""Users, notifications and probation by the API: the same as on the pages, for the same people."""

from __future__ import annotations

import pytest
from django.test import Client

from accounts.models import AuditEntry, Notification
from ladder.models import BotVersion
from ladder.services.versions import version_transition
from matches.models import Match, Seat
from tests.api.conftest import Arena
from tests.ladder.makers import make_standings

pytestmark = pytest.mark.django_db

State = BotVersion.State


def guilty(arena: Arena) -> str:
    """Put the owner's version on probation; return the URL by which its owner may resume it."""
    Match.objects.filter(pk=arena.match.pk).update(kind=Match.Kind.LADDER)
    version_transition(version=arena.version, to=State.PROBATION)
    return arena.path("versions/{version}/")


def test_a_user_is_shown_with_bots_and_ranks(arena: Arena, client: Client) -> None:
    make_standings()
    seen = client.get("/api/v1/users/alice/").json()
    assert seen["username"] == "alice"
    assert seen["joined_at"]
    (bot,) = seen["bots"]
    assert (bot["bot"], bot["name"], bot["league"]) == (arena.bot.pk, "Moat", "")
    assert (bot["version"], bot["state"], bot["rank"], bot["rating"]) == (arena.version.pk, "active", 1, 1500.0)


def test_a_bot_without_a_version_on_the_board_says_so(arena: Arena, client: Client) -> None:
    version_transition(version=arena.version, to=State.RETIRED)
    (bot,) = client.get("/api/v1/users/alice/").json()["bots"]
    assert {bot[name] for name in ("version", "number", "state", "language", "rank", "rating", "games")} == {None}


@pytest.mark.parametrize("name", ["nobody", "a%00b", "%ff", "%F0%9F%98%80"])
def test_nobody_of_that_name(arena: Arena, client: Client, name: str) -> None:
    answer = client.get(f"/api/v1/users/{name}/")
    assert (answer.status_code, answer.json()["type"]) == (404, "/api/#not-found")


def test_notifications_are_listed_and_marked(arena: Arena) -> None:
    client = arena.client("owner")
    assert client.get("/api/v1/account/").json()["unread"] == 1
    (told,) = client.get("/api/v1/notifications/").json()["results"]
    assert (told["kind"], told["text"]) == ("promoted", "Moat was promoted to the league Makushita.")
    assert (told["url"], told["values"]["bot"], told["read_at"]) == (f"/bots/{arena.bot.pk}/", arena.bot.pk, None)
    path = arena.path("notifications/{notification}/read/")
    assert [client.post(path).json()["marked"] for _ in range(2)] == [1, 0]
    assert client.get("/api/v1/notifications/").json()["results"][0]["read_at"]
    assert client.get("/api/v1/account/").json()["unread"] == 0
    Notification.objects.update(read_at=None)
    Notification.objects.create(reader=arena.stranger, kind="promoted", occasion="x", values={})
    assert client.post("/api/v1/notifications/read-all/").json() == {"marked": 1}
    assert Notification.objects.filter(reader=arena.stranger, read_at=None).exists(), "it is somebody else's"


def test_owners_see_the_faults_of_a_probation_and_end_it(arena: Arena) -> None:
    path, client = guilty(arena), arena.client("owner")
    seen = client.get(path).json()
    assert (seen["state"], seen["is_final"]) == ("probation", True)
    assert seen["faults"] == [{"match": arena.match.pk, "verdict": "crashed"}]
    assert seen["advice"].startswith("It failed again and again")
    answer = client.post(f"{path}resume/").json()
    assert (answer["state"], answer["faults"]) == ("active", [])
    entry = AuditEntry.objects.get(act="version_resume")
    assert (entry.actor, entry.target) == (arena.owner, str(arena.version))
    again = client.post(f"{path}resume/")
    assert (again.status_code, again.json()["type"]) == (422, "/api/#refused")


def test_everybody_else_sees_only_that_it_is_on_probation(arena: Arena) -> None:
    guilty(arena)
    make_standings()
    seen = arena.client("user").get(arena.path("bots/{bot}/")).json()["versions"][0]
    assert seen["state"] == "probation"
    assert "faults" not in seen
    (row,) = arena.client("anonymous").get(arena.path("games/{game}/board/")).json()["rows"]
    assert (row["name"], row["rank"], row["state"]) == ("Moat", 1, "probation")
    assert Seat.objects.filter(version=arena.version).exists()
