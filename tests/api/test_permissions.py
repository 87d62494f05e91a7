"""Permissions: a table of every operation's status for each kind of user."""

from __future__ import annotations

import re

import pytest

from accounts.models import AuditEntry
from api.description import description, operations
from matches.models import Match
from tests.api.conftest import Arena

pytestmark = pytest.mark.django_db

VISITORS = ("anonymous", "user", "owner", "staff")
EVERYBODY = (200, 200, 200, 200)
USERS = (401, 200, 200, 200)
OWNER = (401, 404, 200, 404)
STAFF = (404, 404, 404, 200)

TABLE: dict[str, tuple[int, int, int, int]] = {
    "GET schema/": EVERYBODY,
    "POST login/": (400, 400, 400, 400),
    "GET tokens/": USERS,
    "DELETE tokens/unknown/": (401, 204, 204, 204),
    "GET account/": USERS,
    "GET announcements/": EVERYBODY,
    "GET users/{user}/": EVERYBODY,
    "GET notifications/": USERS,
    "POST notifications/read-all/": USERS,
    "POST notifications/{notification}/read/": OWNER,
    "GET languages/": EVERYBODY,
    "GET games/": EVERYBODY,
    "GET games/{game}/": EVERYBODY,
    "GET games/{game}/board/": EVERYBODY,
    "GET games/{game}/log/": (302, 302, 302, 302),
    "GET board/": EVERYBODY,
    "GET bots/{bot}/": EVERYBODY,
    "DELETE bots/{bot}/": (401, 404, 422, 404),  # it was accepted
    "GET bots/{bot}/versions/": EVERYBODY,
    "GET bots/{bot}/rating/": EVERYBODY,
    "GET bots/{bot}/opponents/": EVERYBODY,
    "GET bots/{bot}/compare/{other}/": EVERYBODY,
    "GET bots/{bot}/matches/": EVERYBODY,
    "POST bots/{bot}/challenge/": (401, 400, 400, 400),
    "POST versions/": (401, 415, 415, 415),
    "GET versions/{version}/": OWNER,
    "POST versions/{version}/retire/": OWNER,
    "POST versions/{version}/retry/": (401, 404, 422, 404),
    "POST versions/{version}/resume/": (401, 404, 422, 422),
    "POST versions/{version}/again/": (401, 404, 422, 404),
    "GET versions/{version}/upload/": (401, 404, 422, 404),  # its upload is not stored here
    "GET versions/{version}/first-games/": EVERYBODY,
    "GET versions/{version}/check/replay/": OWNER,
    "GET versions/{version}/check/turns/": OWNER,
    "GET matches/": EVERYBODY,
    "GET matches/{match}/": EVERYBODY,
    "GET matches/{match}/replay/": EVERYBODY,
    "GET matches/{match}/records/": EVERYBODY,
    "GET matches/{match}/turns/": (401, 404, 404, 404),  # this match has no log of turns
    "POST matches/{match}/rerun/": (401, 201, 201, 201),
    "GET trials/": USERS,
    "POST trials/": (401, 400, 400, 400),
    "GET trials/{trial}/": OWNER,
    "POST trials/{trial}/stop/": OWNER,
    "GET fleet/": STAFF,
    "GET fleet/workers/{worker}/": STAFF,
    "POST fleet/workers/{worker}/scale/": (404, 404, 404, 400),
    "POST fleet/workers/{worker}/drain/": STAFF,
    "POST fleet/workers/{worker}/resume/": (404, 404, 404, 422),
    "POST fleet/workers/{worker}/quarantine/": (404, 404, 404, 400),
    "GET fleet/hosts/": STAFF,
    "POST fleet/hosts/": (404, 404, 404, 400),
    "POST fleet/hosts/{host}/revoke/": (404, 404, 404, 503),  # no broker runs here
    "POST fleet/games/{game}/state/": (404, 404, 404, 400),
    "POST fleet/games/{game}/deadline/": (404, 404, 404, 400),
    "POST fleet/games/{game}/limits/": (404, 404, 404, 400),
    "GET fleet/collusion/{game}/": STAFF,
    "GET fleet/programs/{game}/": STAFF,
    "GET fleet/audit/": STAFF,
}


def test_every_operation_stands_in_the_table() -> None:
    known = {f"{method.upper()} {path.removeprefix('/api/v1/')}" for path, method, _ in operations(description())}
    assert {re.sub(r"\{\w+\}|unknown", "{}", row) for row in TABLE} == {re.sub(r"\{\w+\}", "{}", row) for row in known}


@pytest.mark.parametrize("row", TABLE)
def test_the_table_of_permissions_holds(row: str, arena: Arena) -> None:
    method, _, template = row.partition(" ")
    answers = [
        arena.client(visitor).generic(method, arena.path(template), b"{}", content_type="application/json")
        for visitor in VISITORS
    ]
    assert tuple(answer.status_code for answer in answers) == TABLE[row]
    for answer in answers:
        if answer.status_code >= 400:
            assert answer["Content-Type"] == "application/problem+json"
            assert answer.json()["status"] == answer.status_code
            assert answer.json()["detail"].endswith(".")


def test_private_tests_are_seen_by_their_owner_alone(arena: Arena) -> None:
    path = arena.path("matches/{trial_match}/")
    assert [arena.client(visitor).get(path).status_code for visitor in VISITORS] == [404, 404, 200, 404]


def test_evidence_and_logs_are_their_owners_alone(arena: Arena) -> None:
    for visitor in VISITORS:
        faults = arena.client(visitor).get(arena.path("matches/{match}/")).json()["faults"]
        assert bool(faults[1]["evidence"]) is (visitor == "owner")
        assert "printed by the build" not in arena.client(visitor).get(arena.path("bots/{bot}/")).text


def test_a_session_needs_its_csrf_token(arena: Arena) -> None:
    """The attack: another site makes an administrator's browser send a form here."""
    from django.test import Client

    client = Client(enforce_csrf_checks=True)
    client.force_login(arena.staff)
    answer = client.post(arena.path("fleet/workers/{worker}/drain/"), {}, content_type="application/json")
    assert (answer.status_code, answer.json()["type"]) == (403, "/api/#forbidden")
    assert not AuditEntry.objects.filter(act="worker_drain").exists()


@pytest.mark.parametrize("token", ["", "x", "banzuke_" + "0" * 64, "\x7f", "ü", "a b"])
def test_an_invalid_token_is_refused(arena: Arena, token: str) -> None:
    answer = arena.client("anonymous").get("/api/v1/games/", headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code == 401
    assert answer["WWW-Authenticate"] == "Bearer"
    assert answer.json()["type"] == "/api/#not-authenticated"
    assert answer.json()["detail"].startswith("This is no token of ours, or none any more. Make another")


def test_a_missing_token_is_answered_with_what_to_send(arena: Arena) -> None:
    answer = arena.client("anonymous").get("/api/v1/tokens/")
    assert answer.status_code == 401
    assert answer.json()["detail"].startswith("Show a token as")


def test_the_token_of_an_inactive_user_is_refused(arena: Arena) -> None:
    client = arena.client("staff")
    arena.staff.is_active = False
    arena.staff.save()
    assert client.get("/api/v1/fleet/").status_code == 401


def test_the_owner_of_a_private_test_stops_it(arena: Arena) -> None:
    answer = arena.client("owner").post(arena.path("trials/{trial}/stop/"))
    assert answer.json()["state"] == "stopped"
    assert Match.objects.filter(kind=Match.Kind.TRIAL).exists()
