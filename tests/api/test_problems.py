"""Each exception becomes a problem: its kind, its status, a sentence that says what to do, and the fields at fault."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import Any

import pytest
from django.core.exceptions import DisallowedHost, PermissionDenied, RequestDataTooBig
from django.db import OperationalError
from django.http import Http404
from django.test import RequestFactory
from django.utils import translation
from rest_framework import exceptions

from api.base import Api
from api.problems import PROBLEMS, Problem, bad_request, problem_json, problem_response, server_error
from api.tokens import CodeWanted
from common.errors import FieldsError, InputError, StoreAway
from exhibitions.services import answering
from fleet.broker import BrokerRefused
from matches.selectors.matches import ReplayUnreadable
from workshop.services.tries import TryOpen

CONTEXT = {"view": Api()}
TABLE: dict[str, tuple[Exception, int, str]] = {
    "a service refuses": (InputError("Not so. Do it otherwise."), 422, "refused"),
    "fields refused": (FieldsError({"title": "Please give a title."}), 422, "refused"),
    "a code is wanted": (CodeWanted("Send the code."), 422, "code-wanted"),
    "a try goes on": (TryOpen("Your try has not ended."), 409, "busy"),
    "no question": (answering.NotOpen("Nothing is asked."), 409, "not-open"),
    "no answer": (answering.Malformed("It is no answer."), 400, "malformed"),
    "a long answer": (answering.TooLong("It is too long."), 413, "too-large"),
    "many answers": (answering.TooOften("Too many answers."), 429, "throttled"),
    "no broker for answers": (answering.BrokerAway("It is away."), 503, "unavailable"),
    "no broker": (BrokerRefused("The broker is away."), 503, "unavailable"),
    "no store": (StoreAway("The store is away."), 503, "unavailable"),
    "a field is wrong": (exceptions.ValidationError({"bot": ["This field is required."]}), 400, "malformed"),
    "no JSON": (exceptions.ParseError("JSON parse error - line 1"), 400, "malformed"),
    "too many fields": (RequestDataTooBig("Request body exceeded."), 400, "malformed"),
    "nobody": (exceptions.NotAuthenticated(), 401, "not-authenticated"),
    "an old token": (exceptions.AuthenticationFailed("This is no token of ours."), 401, "not-authenticated"),
    "no CSRF token": (exceptions.PermissionDenied("CSRF Failed: no cookie."), 403, "forbidden"),
    "Django forbids": (PermissionDenied(), 403, "forbidden"),
    "nothing there": (exceptions.NotFound("There is no such page."), 404, "not-found"),
    "Django finds nothing": (Http404("No Bot matches the given query."), 404, "not-found"),
    "a replay is gone": (ReplayUnreadable("The replay is not stored any more."), 404, "not-found"),
    "another method": (exceptions.MethodNotAllowed("PUT"), 405, "method-not-allowed"),
    "another type": (exceptions.UnsupportedMediaType("text/xml"), 415, "unsupported-media-type"),
    "too often": (exceptions.Throttled(wait=7), 429, "throttled"),
    "away, and named": (Problem("It is away.", HTTPStatus.SERVICE_UNAVAILABLE), 503, "unavailable"),
}
"""Exceptions of views, with the status and the kind of the problem that answers them."""
OWN = ("a service refuses", "a code is wanted", "a try goes on", "no question", "no answer", "no broker", "no store")
GENERAL = ("a long answer", "many answers", "another method", "too often", "nobody", "Django finds nothing")


def answered(name: str) -> dict[str, Any]:
    """Return the problem that answers an exception of the table."""
    response = problem_response(TABLE[name][0], CONTEXT)
    assert response is not None
    return dict(response.data)


@pytest.mark.parametrize("name", TABLE)
def test_each_exception_has_its_kind_and_status(name: str) -> None:
    _error, status, kind = TABLE[name]
    problem = answered(name)
    assert (problem["status"], problem["type"]) == (status, f"/api/#{kind}")
    assert problem["title"] == HTTPStatus(status).phrase
    assert problem["detail"].endswith(".")
    assert set(problem) == {"type", "title", "status", "detail", "errors"}


@pytest.mark.parametrize("name", OWN)
def test_a_sentence_that_says_what_to_do_is_answered_as_it_is(name: str) -> None:
    assert answered(name)["detail"] == str(TABLE[name][0])


@pytest.mark.parametrize("name", GENERAL)
def test_where_the_general_sentence_says_more_it_is_answered(name: str) -> None:
    kind = TABLE[name][2]
    assert answered(name)["detail"] == str(PROBLEMS[kind])


def test_a_replay_that_is_gone_says_so_and_another_404_tells_nothing() -> None:
    """The attack: the model or the field in Django's own sentence tells how the site is made."""
    assert answered("a replay is gone")["detail"] == "The replay is not stored any more."
    assert "Bot" not in answered("Django finds nothing")["detail"]


def test_types_that_a_url_reads_are_named() -> None:
    assert answered("another type")["detail"].startswith("This URL reads application/json.")


def test_a_body_that_cannot_be_read_says_why() -> None:
    assert answered("too many fields")["detail"] == "The body cannot be read: Request body exceeded."
    assert answered("no JSON")["errors"] == []


def test_fields_at_fault_are_named_with_their_sentences() -> None:
    assert answered("fields refused")["errors"] == [{"field": "title", "detail": "Please give a title."}]
    assert answered("a field is wrong")["errors"] == [{"field": "bot", "detail": "This field is required."}]
    assert answered("a service refuses")["errors"] == []


def test_nested_faults_have_dotted_paths() -> None:
    error = exceptions.ValidationError(
        {
            "stages": {0: {"format": ["No format."]}, 2: {"rounds": ["Too many.", "Too odd."]}},
            "non_field_errors": ["Send one of both."],
        }
    )
    response = problem_response(error, CONTEXT)
    assert response is not None
    assert response.data["errors"] == [
        {"field": "stages.0.format", "detail": "No format."},
        {"field": "stages.2.rounds", "detail": "Too many."},
        {"field": "stages.2.rounds", "detail": "Too odd."},
        {"field": "", "detail": "Send one of both."},
    ]


def test_headers_that_say_how_to_go_on_stay() -> None:
    throttled = problem_response(exceptions.Throttled(wait=7), CONTEXT)
    assert throttled is not None
    assert throttled["Retry-After"] == "7"
    assert throttled.content_type == "application/problem+json"


def test_a_bug_is_no_problem_and_is_not_hidden() -> None:
    assert problem_response(ZeroDivisionError(), CONTEXT) is None
    with pytest.raises(ZeroDivisionError):
        problem_json(ZeroDivisionError(), CONTEXT)


def test_asynchronous_views_answer_the_same() -> None:
    answer = problem_json(InputError("Not so."), CONTEXT)
    assert (answer.status_code, answer["Content-Type"]) == (422, "application/problem+json")
    assert json.loads(answer.content)["detail"] == "Not so."


@pytest.mark.parametrize("language", ["en", "ja", "ru"])
@pytest.mark.parametrize("kind", PROBLEMS)
def test_every_kind_has_a_sentence_in_every_language(kind: str, language: str) -> None:
    with translation.override(language):
        sentence = str(PROBLEMS[kind])
    assert sentence[-1] in ".。"
    assert (sentence == str(PROBLEMS[kind])) is (language == "en")


@pytest.mark.parametrize(
    ("error", "status", "kind"), [(OperationalError(), 503, "unavailable"), (ZeroDivisionError(), 500, "error")]
)
def test_what_no_view_handles_has_the_same_shape(error: Exception, status: int, kind: str, rf: RequestFactory) -> None:
    def handled(path: str) -> Any:
        try:
            raise error
        except type(error):
            return server_error(rf.get(path))

    answer = handled("/api/v1/games/")
    assert (answer.status_code, answer["Content-Type"]) == (status, "application/problem+json")
    assert json.loads(answer.content)["type"] == f"/api/#{kind}"
    assert json.loads(answer.content)["detail"] == str(PROBLEMS[kind])
    page = handled("/games/")
    assert page.status_code == status
    assert page["Content-Type"].startswith("text/html")


@pytest.mark.parametrize(("path", "is_problem"), [("/api/v1/games/", True), ("/games/", False), ("/api/", False)])
def test_a_wrong_host_is_told_as_the_url_speaks(path: str, is_problem: bool, rf: RequestFactory) -> None:
    answer = bad_request(rf.get(path), DisallowedHost("Invalid HTTP_HOST header"))
    assert answer.status_code == 400
    assert (answer["Content-Type"] == "application/problem+json") is is_problem
    content = getattr(answer, "content", b"").decode()
    assert not is_problem or "does not go by the name in the header Host" in content
    assert "Invalid HTTP_HOST" not in content
