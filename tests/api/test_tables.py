"""Tables by the API: a program opens one with a token, and plays its seat with the seat's secret."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from redis import Redis

from matches.models import Match, RemoteSeat
from tests.api.conftest import Arena
from tests.exhibitions.conftest import streams
from tests.exhibitions.makers import make_worker, question, table_begin, tell

__all__ = ["streams"]

pytestmark = pytest.mark.django_db(transaction=True)


def opened(arena: Arena, **body: Any) -> dict[str, Any]:
    make_worker()
    sent = {"bot": float(arena.other.pk), "seat": 1.0, **body}  # whole numbers, as some languages write them
    answer = arena.client("user").post("/api/v1/tables/", sent, content_type="application/json")
    assert answer.status_code == 201, answer.content
    told: dict[str, Any] = answer.json()
    return told


def answered(table: dict[str, Any], body: dict[str, Any], secret: str = "") -> int:
    return (
        Client()
        .post(
            f"/api/v1/tables/{table['id']}/answer/",
            body,
            content_type="application/json",
            headers={"Authorization": f"Seat {secret or table['secret']}"},
        )
        .status_code
    )


def test_a_program_opens_a_table_and_answers(arena: Arena, streams: Redis) -> None:
    table = opened(arena)
    assert (table["seat"], table["game"]) == (1, "kakomimasu")
    remote = RemoteSeat.objects.get()
    assert (remote.clock_seconds, remote.tries, remote.index) == (0, 1, 1)
    seat = {"Authorization": f"Seat {table['secret']}"}
    url = f"/api/v1/tables/{table['id']}/"
    shown = Client().get(url, headers=seat).json()
    assert (shown["state"], shown["place"], shown["question"]) == ("queued", 0, None), "it has a place"
    match = Match.objects.get(pk=table["id"])
    table_begin(match)
    tell(streams, match, question(1), seat=1)
    shown = Client().get(url, headers=seat).json()
    assert (shown["state"], shown["question"]["number"], shown["question"]["answered"]) == ("running", 1, False)
    assert answered(table, {"number": 1.5, "lines": ["STAY"]}) == 400
    assert answered(table, {"number": 1.0, "lines": ["STAY"]}) == 202, "in JSON a whole number"
    assert answered(table, {"number": 1, "lines": ["STAY"]}) == 409
    assert answered(table, {"number": 1, "lines": "STAY"}) == 400
    assert answered(table, {"number": 1, "lines": ["STAY"]}, secret="wrong") == 404
    assert Client().get(url).status_code == 404
    for scheme, status in (("seat", 200), ("SEAT ", 200), ("Seats", 404), ("Bearer", 404)):
        headers = {"Authorization": f"{scheme} {table['secret']}"}
        assert Client().get(url, headers=headers).status_code == status
    assert answered(table, {"number": 0, "leaves": True}) == 202


def test_news_are_told_from_where_one_was(arena: Arena, streams: Redis) -> None:
    table = opened(arena)
    match = Match.objects.get(pk=table["id"])
    table_begin(match)
    tell(streams, match, question(1), seat=1)
    url, seat = f"/api/v1/tables/{table['id']}/news/", {"Authorization": f"Seat {table['secret']}"}
    first = Client().get(f"{url}?wait=5", headers=seat).json()
    assert [event["event"] for event in first["events"]] == ["question"]
    assert Client().get(f"{url}?wait=0", headers=seat).json()["after"] == first["after"] != ""
    for wait in ("nan", "21", "-1", "x"):  # the attack: "nan" would get into the timers of the event loop
        refused = Client().get(f"{url}?wait={wait}", headers=seat)
        assert (refused.status_code, refused.json()["errors"][0]["field"]) == (400, "wait")
    again = Client().get(f"{url}?wait=0&after={first['after']}", headers=seat).json()
    assert again == {"events": [], "after": first["after"]}
    for refused, status in ((Client().get(url), 404), (Client().post(url, headers=seat), 405)):
        assert (refused.status_code, refused["Content-Type"]) == (status, "application/problem+json")
        assert refused.json()["detail"].endswith(".")


def test_an_answer_that_is_not_taken_gets_a_problem_of_its_own_kind(arena: Arena, streams: Redis) -> None:
    table = opened(arena)
    url, seat = f"/api/v1/tables/{table['id']}/answer/", {"Authorization": f"Seat {table['secret']}"}
    table_begin(Match.objects.get(pk=table["id"]))
    bodies = ({"number": 9}, {"number": "9"}, {"number": 9, "lines": ["x" * 20_000]})
    for body, kind in zip(bodies, ("not-open", "malformed", "too-large"), strict=True):
        problem = Client().post(url, body, content_type="application/json", headers=seat).json()
        assert problem["type"] == f"/api/#{kind}"


def test_a_table_without_a_worker_is_refused_in_words(arena: Arena) -> None:
    sent = {"bot": arena.other.pk}
    answer = arena.client("user").post("/api/v1/tables/", sent, content_type="application/json")
    assert answer.status_code == 422
    sent = {"bot": arena.other.pk + 0.5}
    refused = arena.client("user").post("/api/v1/tables/", sent, content_type="application/json")
    assert [error["field"] for error in refused.json()["errors"]] == ["bot"]
    assert "table" in answer.json()["detail"]
