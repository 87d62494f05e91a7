"""What all views share: one description shows the answer, counts the limit, names the url, and checks what is sent."""

from __future__ import annotations

import io
from http import HTTPStatus
from types import SimpleNamespace
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.http import HttpResponse
from rest_framework import serializers
from rest_framework.exceptions import NotFound, ParseError
from rest_framework.parsers import JSONParser, MultiPartParser
from rest_framework.request import Request
from rest_framework.test import APIRequestFactory

from accounts.models import User
from api.access import SiteLimit
from api.base import (
    AlwaysJson,
    Api,
    JsonFiles,
    JsonObjects,
    NewestFirst,
    PagedApi,
    Resource,
    checked,
    created,
    described,
    found_or_404,
)
from tests.ladder.makers import make_user

Sent = dict[str, Any]


class ThingSerializer(serializers.Serializer[Any]):
    """A thing, and who reads it."""

    id = serializers.IntegerField()
    reader = serializers.SerializerMethodField()

    def get_reader(self, thing: Any) -> str:
        """Return the name of the reader."""
        return str(self.context["reader"])


class WantedSerializer(serializers.Serializer[Any]):
    """What is wanted."""

    id = serializers.IntegerField(min_value=1)


class ThingApi(Resource):
    """Views of things."""

    throttle_classes = []

    @described(ThingSerializer)
    def show(self, request: Request) -> object:
        """Show a thing."""
        return {"id": 7}

    @described(ThingSerializer(many=True), query=WantedSerializer)
    def all(self, request: Request) -> object:
        """List things."""
        return [{"id": self.query()["id"]}, SimpleNamespace(id=8)]

    @created(ThingSerializer, body=WantedSerializer, limit="thing", url=("api:bot", "id"))
    def make(self, request: Request) -> object:
        """Make a thing."""
        return self.sent()

    @described(None, status=HTTPStatus.NO_CONTENT)
    def remove(self, request: Request) -> None:
        """Remove a thing."""

    @described(bytes, content_type="text/plain", limit="file")
    def file(self, request: Request) -> HttpResponse:
        """Download a thing."""
        return HttpResponse("a file", content_type="text/plain")


def ask(method: str, action: str, url: str = "/", **sent: Any) -> Any:
    """Return the answer of a method of ``ThingApi`` to a request of nobody."""
    request = getattr(APIRequestFactory(), method)(url, sent, format="json")
    request.user = AnonymousUser()
    answer = ThingApi.as_view({method: action})(request)
    return answer.render() if hasattr(answer, "render") else answer


# --- Descriptions ----------------------------------------------------------------------------------------------------


def test_a_method_returns_what_its_serializer_shows() -> None:
    answer = ask("get", "show")
    assert (answer.status_code, answer.data) == (200, {"id": 7, "reader": "AnonymousUser"})


def test_a_list_is_shown_row_by_row() -> None:
    answer = ask("get", "all", "/?id=3")
    assert [row["id"] for row in answer.data] == [3, 8]


def test_what_was_made_is_201_with_its_url() -> None:
    answer = ask("post", "make", id=3)
    assert (answer.status_code, answer.data["id"], answer["Location"]) == (201, 3, "/api/v1/bots/3/")


def test_an_answer_without_a_body_is_empty() -> None:
    answer = ask("delete", "remove")
    assert (answer.status_code, answer.content) == (204, b"")


def test_a_response_of_its_own_is_passed_on() -> None:
    answer = ask("get", "file")
    assert (answer.status_code, answer.content, answer["Content-Type"]) == (200, b"a file", "text/plain")


def test_what_is_sent_is_checked_by_the_description() -> None:
    for answer in (ask("post", "make", id=0), ask("post", "make"), ask("get", "all", "/?id=x"), ask("get", "all")):
        assert answer.status_code == 400
        assert [error["field"] for error in answer.data["errors"]] == ["id"]


@pytest.mark.parametrize(
    ("method", "action", "limit"), [("post", "make", "thing"), ("get", "file", "file"), ("get", "show", "")]
)
def test_a_limit_counts_the_method_that_is_described_with_it(
    method: str, action: str, limit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = []
    monkeypatch.setattr("api.access.action_count", lambda *, request, action: not counted.append(action))
    monkeypatch.setattr(ThingApi, "throttle_classes", [SiteLimit])
    ask(method, action, id=1)
    assert counted == ([limit] if limit else [])


def test_head_costs_as_much_as_get(monkeypatch: pytest.MonkeyPatch) -> None:
    counted = []
    monkeypatch.setattr("api.access.action_count", lambda *, request, action: not counted.append(action))
    monkeypatch.setattr(ThingApi, "throttle_classes", [SiteLimit])
    request = APIRequestFactory().head("/")
    request.user = AnonymousUser()
    ThingApi.as_view({"get": "file"})(request)
    assert counted == ["file"]


def test_answers_are_the_callers_own_unless_they_say_otherwise() -> None:
    answer = ask("get", "show")
    assert set(answer["Cache-Control"].split(", ")) == {"private", "no-cache"}
    assert {"Authorization", "Cookie"} <= {name.strip() for name in answer["Vary"].split(",")}


def test_an_answer_that_the_caller_has_is_not_sent_again() -> None:
    first = ask("get", "show")
    request = APIRequestFactory().get("/", headers={"If-None-Match": first["ETag"]})
    request.user = AnonymousUser()
    again = ThingApi.as_view({"get": "show"})(request).render()
    assert (again.status_code, again.content) == (304, b"")


# --- Pages -----------------------------------------------------------------------------------------------------------


class UserSerializer(serializers.Serializer[Any]):
    """A user."""

    username = serializers.CharField()


class UsersApi(PagedApi):
    """Users, page by page."""

    throttle_classes = []

    @described(UserSerializer(many=True))
    def get(self, request: Request) -> object:
        """List users."""
        return User.objects.filter(username__startswith="reader")

    @described(UserSerializer)
    def post(self, request: Request) -> object:
        """Show a user."""
        return User.objects.get(username="reader")


def page(url: str, method: str = "get") -> Any:
    request = getattr(APIRequestFactory(), method)(url, format="json")
    request.user = AnonymousUser()
    return UsersApi.as_view()(request).render().data


@pytest.mark.django_db
def test_a_list_of_a_paged_view_comes_page_by_page_newest_first() -> None:
    for letter in "abc":
        make_user(f"reader {letter}")
    first = page("/?limit=2")
    assert [row["username"] for row in first["results"]] == ["reader c", "reader b"]
    assert first["previous"] is None
    second = page(first["next"])
    assert [row["username"] for row in second["results"]] == ["reader a"]
    assert second["next"] is None
    assert [row["username"] for row in page(second["previous"])["results"]] == ["reader c", "reader b"]


@pytest.mark.django_db
def test_one_row_of_a_paged_view_is_no_page() -> None:
    make_user("reader")
    assert page("/", "post") == {"username": "reader"}


@pytest.mark.django_db
@pytest.mark.parametrize("limit", ["0", "-1", "x", "100000"])
def test_a_page_has_at_most_so_many_rows(limit: str) -> None:
    User.objects.bulk_create(User(username=f"reader {number}") for number in range(NewestFirst.max_page_size + 1))
    count = len(page(f"/?limit={limit}")["results"])
    assert count == (NewestFirst.max_page_size if limit == "100000" else NewestFirst.page_size)


# --- Bodies ----------------------------------------------------------------------------------------------------------


def parsed(body: bytes, parser: Any = None) -> Any:
    return (parser or JsonObjects()).parse(io.BytesIO(body), "application/json", {"encoding": "utf-8"})


@pytest.mark.parametrize(
    ("body", "word"),
    [(b"{", "JSON parse error"), (b"[" * 100_000, "too deep"), (b'{"a": "\\ud800"}', "half of a surrogate pair")],
)
def test_json_that_nobody_can_handle_is_malformed(body: bytes, word: str) -> None:
    for parser in (JsonObjects(), JsonFiles()):
        with pytest.raises(ParseError, match=word):
            parsed(body, parser)


def test_the_files_of_a_bot_may_be_larger_but_not_any_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(JsonFiles, "bytes_max", 10)
    assert parsed(b'{"a": 123}', JsonFiles()) == {"a": 123}
    with pytest.raises(ParseError, match="more than 10 bytes"):
        parsed(b'{"a": 1234}', JsonFiles())


@pytest.mark.parametrize(
    ("content_type", "parser"),
    [
        ("application/json", JSONParser),
        ("Application/JSON; charset=latin-1", JSONParser),
        ("multipart/form-data; boundary=x", MultiPartParser),
        ("text/xml", None),
        ("", None),
    ],
)
def test_a_parser_is_chosen_by_the_content_type_alone(content_type: str, parser: type | None) -> None:
    request: Any = SimpleNamespace(content_type=content_type)
    chosen = AlwaysJson().select_parser(request, [JSONParser(), MultiPartParser()])
    assert type(chosen) is (parser or type(None))


@pytest.mark.parametrize("accept", ["text/html", "application/xml;q=0.9", "nonsense", ""])
def test_the_header_accept_changes_nothing(accept: str) -> None:
    request = APIRequestFactory().get("/", headers={"Accept": accept})
    request.user = AnonymousUser()
    answer = ThingApi.as_view({"get": "show"})(request).render()
    assert answer["Content-Type"] == "application/json"


def test_what_is_not_found_is_404_with_one_sentence() -> None:
    assert found_or_404(0) == 0
    with pytest.raises(NotFound, match="or it is not yours to see"):
        found_or_404(None)


def test_a_check_returns_the_values_alone() -> None:
    assert checked(WantedSerializer, {"id": "3", "more": 1}) == {"id": 3}


def test_a_view_without_a_method_says_which_it_has() -> None:
    class Empty(Api):
        """Nothing."""

        throttle_classes = []

        @described(ThingSerializer)
        def get(self, request: Request) -> object:
            """Show nothing."""
            return {"id": 1}

    request = APIRequestFactory().delete("/")
    request.user = AnonymousUser()
    answer = Empty.as_view()(request).render()
    assert (answer.status_code, answer["Allow"]) == (405, "GET, HEAD, OPTIONS")
