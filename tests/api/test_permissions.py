"""Permissions: a table of every operation's status for each kind of user."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from accounts.models import AuditEntry
from api.description import description, operations
from tests.api.conftest import Arena

pytestmark = pytest.mark.django_db

VISITORS = ("anonymous", "user", "owner", "staff")
EVERYBODY = (200, 200, 200, 200)
USERS = (401, 200, 200, 200)
OWNER = (401, 404, 200, 404)
STAFF = (404, 404, 404, 200)

TOURNAMENT = "contests/{game}/tournaments/final"

ALLOWED = {
    EVERYBODY: (
        *("GET schema/", "GET announcements/", "GET users/{user}/", "GET languages/", "GET games/"),
        *("GET contests/", "GET contests/{game}/", "GET contests/{game}/board/", "GET contests/{game}/tournaments/"),
        *("GET contests/{game}/downloads/", "GET contests/{game}/guide/"),
        *(f"GET {TOURNAMENT}/{rest}" for rest in ("", "rounds/", "standings/", "places/")),
        *("GET games/{game}/", "GET games/{game}/board/", "GET board/", "GET bots/{bot}/"),
        *("GET bots/{bot}/versions/", "GET bots/{bot}/rating/", "GET bots/{bot}/opponents/"),
        *("GET bots/{bot}/compare/{other}/", "GET bots/{bot}/matches/", "GET versions/{version}/first-games/"),
        *("GET matches/", "GET matches/{match}/", "GET matches/{match}/replay/", "GET matches/{match}/records/"),
    ),
    USERS: (
        *("GET tokens/", "GET account/", "GET notifications/", "POST notifications/read-all/", "GET trials/"),
        "GET hooks/",
    ),
    OWNER: (
        *("POST notifications/{notification}/read/", "GET versions/{version}/", "POST versions/{version}/retire/"),
        *("GET versions/{version}/check/replay/", "GET versions/{version}/check/turns/", "GET trials/{trial}/"),
        *("POST trials/{trial}/stop/", "GET tries/{tried}/", "GET tries/{tried}/turns/", "GET tries/{tried}/replay/"),
        *("GET hooks/{hook}/", "POST hooks/{hook}/resume/"),
    ),
    STAFF: (
        *("GET fleet/", "GET fleet/workers/{worker}/", "POST fleet/workers/{worker}/drain/", "GET fleet/hosts/"),
        *("GET fleet/collusion/{game}/", "GET fleet/programs/{game}/", "GET fleet/audit/"),
    ),
}
"""Operations that do all that they are asked for, by who may ask."""
TABLE: dict[str, tuple[int, int, int, int]] = {
    **{row: statuses for statuses, rows in ALLOWED.items() for row in rows},
    "POST login/": (400, 400, 400, 400),
    "DELETE tokens/unknown/": (401, 204, 204, 204),
    "GET games/{game}/log/": (302, 302, 302, 302),
    "GET contests/{game}/log/": (302, 302, 302, 302),
    "POST hooks/": (401, 400, 400, 400),
    "POST hooks/{hook}/test/": (401, 404, 201, 404),
    "DELETE hooks/{hook}/": (401, 404, 204, 404),
    "GET contests/{game}/downloads/2026-11-28/results/": (404, 404, 404, 404),  # no day is over
    "GET contests/{game}/downloads/2026-11-28/replays/": (404, 404, 404, 404),
    "POST contests/{game}/state/": (401, 404, 404, 400),  # the open contest is the administrators'
    "POST contests/{game}/deadline/": (401, 404, 404, 400),
    "POST contests/{game}/limits/": (401, 404, 404, 400),
    "POST contests/{game}/tournaments/": (401, 404, 404, 400),
    f"PATCH {TOURNAMENT}/": (401, 404, 404, 200),
    f"DELETE {TOURNAMENT}/": (401, 404, 404, 204),
    f"GET {TOURNAMENT}/trf/": (422, 422, 422, 422),  # it is a knockout
    f"POST {TOURNAMENT}/act/": (401, 404, 404, 400),
    f"POST {TOURNAMENT}/entrants/": (401, 400, 400, 400),
    f"DELETE {TOURNAMENT}/entrants/{{entrant}}/": (401, 422, 422, 422),  # it is drawn
    f"POST {TOURNAMENT}/entrants/{{entrant}}/leave/": (401, 400, 400, 400),
    f"POST {TOURNAMENT}/tables/{{table}}/decide/": (401, 404, 404, 400),
    "DELETE bots/{bot}/": (401, 404, 422, 404),  # it was accepted
    "POST bots/{bot}/challenge/": (401, 400, 400, 400),
    "POST versions/": (401, 415, 415, 415),
    "POST versions/{version}/retry/": (401, 404, 422, 404),
    "POST versions/{version}/resume/": (401, 404, 422, 422),
    "POST versions/{version}/again/": (401, 404, 422, 404),
    "POST versions/{version}/enter/": (401, 404, 400, 404),
    "GET versions/{version}/upload/": (401, 404, 422, 404),  # its upload is not stored here
    "GET matches/{trial_match}/": (404, 404, 200, 404),  # a private test's
    "GET matches/{match}/turns/": (401, 404, 404, 404),  # this match has no log of turns
    "POST matches/{match}/rerun/": (401, 201, 201, 201),
    "POST trials/": (401, 400, 400, 400),
    "POST tries/": (401, 400, 400, 400),
    "POST tables/": (401, 400, 400, 400),
    "GET tables/{match}/": (404, 404, 404, 404),  # the secret of a seat is the permission
    "GET tables/{match}/news/": (404, 404, 404, 404),
    "POST tables/{match}/answer/": (404, 404, 404, 404),
    "POST fleet/workers/{worker}/scale/": (404, 404, 404, 400),
    "POST fleet/workers/{worker}/resume/": (404, 404, 404, 422),
    "POST fleet/workers/{worker}/quarantine/": (404, 404, 404, 400),
    "POST fleet/hosts/": (404, 404, 404, 400),
    "POST fleet/hosts/{host}/revoke/": (404, 404, 404, 503),  # no broker runs here
    "POST fleet/games/{game}/state/": (404, 404, 404, 400),
    "POST fleet/games/{game}/deadline/": (404, 404, 404, 400),
    "POST fleet/games/{game}/limits/": (404, 404, 404, 400),
}


def test_every_operation_stands_in_the_table() -> None:
    known = {f"{method.upper()} {path.removeprefix('/api/v1/')}" for path, method, _ in operations(description())}
    rows = {re.sub(r"\{\w+\}|unknown|final|2026-11-28", "{}", row) for row in TABLE}
    assert rows == {re.sub(r"\{\w+\}", "{}", row) for row in known}


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


def test_evidence_and_logs_are_their_owners_alone(arena: Arena) -> None:
    for visitor in VISITORS:
        faults = arena.client(visitor).get(arena.path("matches/{match}/")).json()["faults"]
        assert bool(faults[1]["evidence"]) is (visitor == "owner")
        assert "printed by the build" not in arena.client(visitor).get(arena.path("bots/{bot}/")).text


def test_a_session_needs_its_csrf_token(arena: Arena) -> None:
    """The attack: another site makes an administrator's browser send a form here."""
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
    missing = arena.client("anonymous").get("/api/v1/tokens/")
    assert (missing.status_code, missing.json()["detail"][:15]) == (401, "Show a token as")


def test_the_token_of_an_inactive_user_is_refused(arena: Arena) -> None:
    client = arena.client("staff")
    arena.staff.is_active = False
    arena.staff.save()
    assert client.get("/api/v1/fleet/").status_code == 401
