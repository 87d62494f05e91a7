"""The reference page and the schema that it is made of: every operation, what is sent, and what is answered."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from api.description import METHODS, description, operations, tell_defaults
from api.problems import PROBLEMS
from api.reference import Field, ReferenceEntry, entries
from api.urls import v1


def entry(method: str, path: str) -> ReferenceEntry:
    """Return the entry of an operation."""
    found = [each for rows in entries().values() for each in rows if (each.method, each.path) == (method, path)]
    [only] = found
    return only


def fields(rows: list[Field]) -> dict[str, Field]:
    return {row.name: row for row in rows}


def statuses(method: str, path: str) -> set[int]:
    return {answer.status for answer in entry(method, path).answers}


def test_the_page_has_every_operation_once() -> None:
    shown = [(each.method.lower(), each.path) for rows in entries().values() for each in rows]
    known = [(method, path) for path, method, _operation in operations(description())]
    assert sorted(shown) == sorted(known)
    assert len(set(known)) == len(known)


def test_every_url_of_the_api_is_described() -> None:
    described = {path for path, _method, _operation in operations(description())}
    assert len(described) == len(v1)


def test_operations_stand_by_subject_in_the_order_of_their_modules() -> None:
    subjects = entries()
    assert {"bots", "contests", "matches", "tournaments", "versions", "fleet"} <= set(subjects)
    for subject, rows in subjects.items():
        assert rows, subject
        assert all(row.method.lower() in METHODS for row in rows)


def test_each_operation_has_a_title_and_says_how_it_ends() -> None:
    for row in (row for rows in entries().values() for row in rows):
        assert row.title[:1].isupper(), row.path
        assert not row.title.endswith(".")
        good = [answer.status for answer in row.answers if answer.status < 400]
        assert len(good) == 1, (row.method, row.path)
        assert 429 in {answer.status for answer in row.answers}


def test_fields_of_a_page_are_those_of_a_row() -> None:
    received = fields(entry("GET", "/api/v1/matches/").received)
    assert {"id", "kind", "state", "seats"} <= set(received)
    assert "results" not in received
    assert received["seats"].type == "Seat[]"
    assert received["created_at"].type == "date-time"


def test_what_is_sent_names_parameters_before_the_body() -> None:
    sent = entry("POST", "/api/v1/bots/{id}/challenge/").sent
    assert [(row.name, row.type, row.required) for row in sent] == [("id", "integer", True), ("bot", "integer", True)]


def test_a_default_is_told_in_words() -> None:
    sent = fields(entry("POST", "/api/v1/tables/").sent)
    assert sent["seats"].description.endswith("Left out: 2.")
    assert not sent["seats"].required
    assert sent["bot"].required


def test_fields_that_may_be_left_out_keep_their_description() -> None:
    result: dict[str, Any] = {
        "components": {
            "schemas": {
                "LoginRequest": {"properties": {"code": {"default": "", "description": "A code."}}},
                "ScaleRequest": {
                    "properties": {"seats": {"default": 2}, "name": {"default": "x", "description": "N."}}
                },
                "Answer": {"properties": {"size": {"default": 3}}},
            }
        }
    }
    schemas = tell_defaults(result)["components"]["schemas"]
    assert schemas["LoginRequest"]["properties"] == {"code": {"description": "A code."}}
    assert schemas["ScaleRequest"]["properties"] == {
        "seats": {"description": "Left out: 2."},
        "name": {"description": "N. Left out: x."},
    }
    assert schemas["Answer"]["properties"] == {"size": {"default": 3}}, "answers are left as they are"


@pytest.mark.parametrize(
    ("method", "path", "expected"),
    [
        ("GET", "/api/v1/games/", {200, 401, 429}),
        ("GET", "/api/v1/matches/", {200, 400, 401, 404, 429}),
        ("GET", "/api/v1/fleet/", {200, 401, 404, 429}),
        ("DELETE", "/api/v1/hooks/{id}/", {204, 401, 403, 404, 429}),
        ("POST", "/api/v1/trials/", {201, 400, 401, 403, 404, 408, 413, 415, 422, 429}),
    ],
)
def test_errors_follow_from_method_and_parameters(method: str, path: str, expected: set[int]) -> None:
    assert statuses(method, path) == expected


def test_every_error_is_a_problem() -> None:
    for path, method, operation in operations(description()):
        for status, answer in operation["responses"].items():
            if int(status) >= 400:
                assert list(answer["content"]) == ["application/problem+json"], (method, path, status)


@pytest.mark.django_db
def test_the_schema_is_the_same_for_every_caller(client: Client) -> None:
    """Labels of choices are translated: the first caller's language must not stay for all."""
    texts = {client.get("/api/v1/schema/", headers={"Accept-Language": language}).text for language in ("en", "ja")}
    assert len(texts) == 1


@pytest.mark.django_db
def test_the_page_shows_operations_and_problems(client: Client) -> None:
    page = client.get("/api/").text
    assert "/api/v1/matches/{id}/" in page
    for kind, sentence in PROBLEMS.items():
        assert f'<dt id="{kind}">' in page
        assert str(sentence)[:20] in page
    for subject in entries():
        assert f'id="{subject}"' in page
