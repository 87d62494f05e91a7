"""What all URLs of the API share: problems, pagination, conditional requests, limits, and numbers of queries."""

from __future__ import annotations

import time
from base64 import b64encode
from dataclasses import fields
from http import HTTPStatus
from unittest.mock import Mock

import pytest
from django.core.cache import cache
from django.db import OperationalError, connection
from django.test import Client, RequestFactory
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, Settings
from rest_framework.exceptions import APIException

from accounts.models import Notification
from api.base import Api, PagedApi
from api.description import description
from api.problems import problem_response
from api.serializers.problems import ProblemSerializer
from ladder.models import RatingPoint
from rating.paired import PairedVerdict
from tests.api.conftest import Arena
from tests.ladder.makers import make_rating, make_standings
from tests.ladder.makers import make_version as make_upload
from tests.matches.makers import finish_match, make_match, make_records, make_version
from wire.jobs import FaultReport

pytestmark = pytest.mark.django_db


# --- Problems ---------------------------------------------------------------------------------------------------------


def test_fields_that_are_wrong_and_bodies_that_are_no_object_are_named(arena: Arena) -> None:
    for body in ("", "[]", '"x"', "null"):
        answer = arena.client("owner").post("/api/v1/trials/", body, content_type="application/json")
        assert (answer.status_code, answer.json()["type"]) == (400, "/api/#malformed")
    problem = arena.client("owner").post("/api/v1/trials/", {"candidate": "x"}, content_type="application/json").json()
    assert set(problem) == {"type", "title", "status", "detail", "errors"}
    assert (problem["type"], problem["title"], problem["status"]) == ("/api/#malformed", "Bad Request", 400)
    assert {error["field"] for error in problem["errors"]} == {"candidate", "reference"}
    assert all(error["detail"].endswith(".") for error in problem["errors"])


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        *[("{", "application/json"), ("x", "multipart/form-data; boundary="), ("{}", "text/xml")],
        *[(body, "application/json") for body in ("\x00", "[" * 100_000, " " * 3_000_000)],
    ],
)
def test_a_body_that_cannot_be_read_blames_no_field(arena: Arena, body: str, content_type: str) -> None:
    path = "/api/v1/versions/" if content_type.startswith("multipart") else "/api/v1/trials/"
    problem = arena.client("owner").post(path, body, content_type=content_type).json()
    assert (problem["status"], problem["errors"]) == (415 if content_type == "text/xml" else 400, [])
    assert problem["detail"].startswith(
        "This URL reads application/json." if content_type == "text/xml" else "The body cannot be read: "
    )
    assert problem["detail"].endswith(".")


@pytest.mark.parametrize("body", ['{"state": "\\ud800"}', '{"state": "open", "reason": {"\\udfff": 1}}', '"\\ud800"'])
def test_half_of_a_surrogate_pair_is_malformed(arena: Arena, body: str) -> None:
    """The attack: JSON can contain text that can be encoded neither for the database nor for the answer."""
    path = arena.path("fleet/games/{game}/state/")
    answer = arena.client("staff").post(path, body, content_type="application/json")
    assert (answer.status_code, answer.json()["type"]) == (400, "/api/#malformed")


@pytest.mark.parametrize("charset", ["latin1", "idna", "undefined", "zlib"])
def test_bodies_are_read_as_utf_8_whatever_they_call_themselves(client: Client, charset: str) -> None:
    sent = b'{"username": "nobody", "password": "nothing"}'
    answer = client.generic("POST", "/api/v1/login/", sent, content_type=f"application/json; charset={charset}")
    assert (answer.status_code, answer.json()["type"]) == (422, "/api/#refused")


def test_a_refusal_of_a_service_is_answered_with_its_sentence(arena: Arena) -> None:
    sent = {"candidate": arena.version.pk, "reference": arena.old.pk}
    answer = arena.client("owner").post("/api/v1/trials/", sent, content_type="application/json")
    assert (answer.status_code, answer.json()["type"]) == (422, "/api/#refused")
    assert answer.json()["detail"] == "You have a test running; wait until it has ended, or stop it."


@pytest.mark.parametrize("path", ["", "nothing/", "matches/-1/", "matches/99999999999999999999/", "games/chess/"])
def test_a_url_that_does_not_exist_gets_a_problem(client: Client, path: str) -> None:
    for method in ("GET", "POST", "DELETE"):
        answer = client.generic(method, f"/api/v1/{path}")
        assert answer["Content-Type"] == "application/problem+json"
        assert answer.json()["type"] in ("/api/#not-found", "/api/#method-not-allowed")
        assert answer.json()["detail"] != "Not found."
        assert answer.status_code == 404 or answer["Allow"] == "GET, HEAD, OPTIONS"


@pytest.mark.parametrize(
    ("path", "content_type"), [("/api/v1/games/", "application/problem+json"), ("/games/", "text/html; charset=utf-8")]
)
def test_a_wrong_host_header_or_a_database_that_is_away_gets_a_problem_or_a_page(
    client: Client, settings: Settings, path: str, content_type: str
) -> None:
    """Programs such as `banzuke upload` repeat a request after 503, and give up after 500."""
    away = Mock(side_effect=OperationalError("remaining connection slots are reserved"))
    settings.ALLOWED_HOSTS = ["testserver"]
    client.raise_request_exception = False
    wrong = client.get(path, headers={"Host": "other.example"})
    with connection.execute_wrapper(away):
        failed = client.get(path)
    assert (wrong.status_code, failed.status_code) == (400, 503)
    assert wrong["Content-Type"] == failed["Content-Type"] == content_type
    if path == "/api/v1/games/":
        assert ("Host" in wrong.json()["detail"], failed.json()["type"]) == (True, "/api/#unavailable")


def test_a_mistake_of_ours_has_the_same_shape_and_is_logged(
    client: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("api.views.games.languages_all", lambda: 1 / 0)
    client.raise_request_exception = False
    answer = client.get("/api/v1/languages/")
    assert (answer.status_code, answer["Content-Type"]) == (500, "application/problem+json")
    assert answer.json()["type"] == "/api/#error"
    assert "division" not in answer.text
    assert "ZeroDivisionError" in caplog.text


@pytest.mark.parametrize(("status", "kind"), [(501, "error"), (410, "refused"), (422, "refused"), (503, "unavailable")])
def test_a_status_of_no_kind_of_its_own_is_a_problem_too(status: int, kind: str) -> None:
    error = APIException()
    error.status_code = status
    answer = problem_response(error, {})
    assert answer
    assert (answer.data["type"], answer.data["status"]) == (f"/api/#{kind}", status)


def _to_answer(view: type[Api]) -> Api:
    asked = view()
    asked.request = asked.initialize_request(RequestFactory().get("/"))
    return asked


def test_a_method_that_returns_nothing_to_show_fails_at_once() -> None:
    with pytest.raises(AssertionError, match="returns nothing to show"):
        _to_answer(Api).answer(ProblemSerializer, None, HTTPStatus.OK)
    assert _to_answer(Api).answer(None, None, HTTPStatus.NO_CONTENT).status_code == 204


def test_a_page_of_a_list_has_the_status_of_its_method() -> None:
    shown = _to_answer(PagedApi).answer(ProblemSerializer(many=True), Notification.objects.none(), HTTPStatus.ACCEPTED)
    assert (shown.status_code, shown.data["results"]) == (202, [])


def test_a_match_without_a_log_of_turns_says_why(arena: Arena) -> None:
    path = arena.path("matches/{match}/turns/")
    assert "the replay tells all" in arena.client("owner").get(path).json()["detail"]
    assert "nothing of yours" in arena.client("staff").get(path).json()["detail"]


def test_the_turns_of_a_check_match_are_those_of_ones_own_bot(arena: Arena) -> None:
    (turn,) = arena.client("owner").get(arena.path("versions/{version}/check/turns/")).json()
    assert (turn["seat"], turn["stderr"]) == (0, "thought of 0")


def test_evidence_and_results_are_described_field_by_field() -> None:
    """Typed clients are generated from the schema alone."""
    shapes = description()["components"]["schemas"]
    known = ["sentence" if name == "why" else name for name in FaultReport.__struct_fields__]
    assert list(shapes["Evidence"]["properties"]) == known
    assert list(shapes["TrialResult"]["properties"]) == [field.name for field in fields(PairedVerdict)]
    assert shapes["OwnSeat"]["properties"]["evidence"]["allOf"] == [{"$ref": "#/components/schemas/Evidence"}]
    assert shapes["Trial"]["properties"]["result"]["allOf"] == [{"$ref": "#/components/schemas/TrialResult"}]


# --- Pages ------------------------------------------------------------------------------------------------------------


def test_pages_follow_each_other_whatever_comes_in_between(client: Client) -> None:
    first, second = make_version("a"), make_version("b")
    numbers = [make_match(first, second).pk for _ in range(7)][::-1]
    page = client.get("/api/v1/matches/?limit=3").json()
    seen = [row["id"] for row in page["results"]]
    make_match(first, second)
    while page["next"]:
        page = client.get(page["next"]).json()
        seen += [row["id"] for row in page["results"]]
    assert seen == numbers


@pytest.mark.parametrize("cursor", ["x", "p=abc", "p=-1", "p=", "o=1e99", "p=\x00", f"p={'9' * 30}"])
def test_an_invalid_cursor_is_404(client: Client, cursor: str) -> None:
    answer = client.get("/api/v1/matches/", {"cursor": b64encode(cursor.encode()).decode()})
    assert answer.status_code in (200, 404)
    if answer.status_code == 404:
        assert answer.json()["type"] == "/api/#not-found"


def test_matches_are_filtered(arena: Arena, client: Client) -> None:
    def found(**query: str) -> list[int]:
        return [row["id"] for row in client.get("/api/v1/matches/", query).json()["results"]]

    assert found(contest="kakomimasu") == found(bot="moat") == found(state="finished") == [arena.match.pk]
    assert found(contest="puyo") == found(bot="nobody") == found(state="void") == []
    assert client.get("/api/v1/matches/", {"game": "chess"}).status_code == 400


def test_opponents_end_with_their_last_page(arena: Arena, client: Client) -> None:
    """A program that asks for pages until one is empty would never end."""
    path = arena.path("bots/{bot}/opponents/")
    assert client.get(path).json()["pages"] == 1
    answer = client.get(path, {"page": 2})
    assert (answer.status_code, answer.json()["type"]) == (404, "/api/#not-found")


def test_a_board_goes_on_from_its_cursors(client: Client) -> None:
    for number in range(35):
        make_rating(make_version(f"bot {number}"), 1500.0 + number)
    make_standings()
    first = client.get("/api/v1/games/kakomimasu/board/").json()
    second = client.get("/api/v1/games/kakomimasu/board/", {"after": first["older"]}).json()
    assert [row["rank"] for row in first["rows"] + second["rows"]] == list(range(1, 36))
    assert (first["newer"], second["older"]) == ("", "")
    assert first["rows"] == client.get("/api/v1/games/kakomimasu/board/", {"before": second["newer"]}).json()["rows"]


# --- Conditions -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["games/", "matches/", "matches/{match}/", "matches/{match}/replay/", "board/"])
def test_a_caller_that_has_the_answer_gets_304(arena: Arena, path: str) -> None:
    client, path = arena.client("owner"), arena.path(path)
    answer = client.get(path)
    again = client.get(path, headers={"If-None-Match": answer["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert client.get(path, headers={"If-None-Match": '"other"'}).content == answer.content


def test_an_answer_that_has_changed_is_sent(arena: Arena) -> None:
    client, path = arena.client("owner"), arena.path("versions/{version}/")
    etag = client.get(path)["ETag"]
    client.post(f"{path}retire/")
    assert client.get(path, headers={"If-None-Match": etag}).json()["state"] == "retired"


def test_no_proxy_keeps_what_is_one_users_own(arena: Arena) -> None:
    own = arena.client("owner").get(arena.path("versions/{version}/"))
    assert "private" in own["Cache-Control"]
    assert {"Authorization", "Cookie"} <= {name.strip() for name in own["Vary"].split(",")}
    assert "public" in arena.client("owner").get(arena.path("matches/{match}/replay/"))["Cache-Control"]
    assert "private" in arena.client("owner").get(arena.path("versions/{version}/check/replay/"))["Cache-Control"]


# --- Limits -----------------------------------------------------------------------------------------------------------


def test_strangers_and_users_are_limited_apart(arena: Arena, settings: Settings) -> None:
    settings.API_RATES = {"anon": "2/min", "user": "3/min"}
    for visitor, many in (("anonymous", 2), ("owner", 3), ("user", 3)):
        client = arena.client(visitor)
        statuses = [client.get("/api/v1/languages/").status_code for _ in range(many + 1)]
        assert statuses == [200] * many + [429], visitor
    answer = arena.client("anonymous").get("/api/v1/languages/")
    assert int(answer["Retry-After"]) > 0
    assert answer.json()["type"] == "/api/#throttled"
    told = arena.client("anonymous").get("/api/v1/languages/", headers={"Accept-Language": "ja"}).json()["detail"]
    assert told.startswith("リクエストが多すぎます。ヘッダー Retry-After"), (
        "DRF's own is half English in other languages"
    )


def test_x_forwarded_for_makes_nobody_a_new_visitor(settings: Settings) -> None:
    """The attack: a new X-Forwarded-For with each request."""
    cache.clear()
    settings.API_RATES = {"anon": "1/min"}
    answers = [Client().get("/api/v1/games/", headers={"X-Forwarded-For": f"10.0.0.{n}"}) for n in range(2)]
    assert [answer.status_code for answer in answers] == [200, 429]


@pytest.mark.parametrize(
    ("one", "other", "status"),
    [
        ("2001:db8:1:2::3", "2001:db8:1:2:4::5", 429),
        ("2001:db8:1:2::3", "2001:db8:1:3::3", 200),
        ("192.0.2.1", "192.0.2.2", 200),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2", 200),
        ("::ffff:192.0.2.1", "192.0.2.1", 429),
        ("::ffff:192.0.2.1", "::FFFF:c000:0201", 429),
        ("2001:db8:1:2::3", "2001:0DB8:0001:0002:0:0:0:9", 429),
        ("fe80::1%eth0", "fe80::2%eth1", 429),
        ("unknown", "[2001:db8::1", 429),
        ("unknown", "2001:db8::1", 200),
    ],
)
def test_a_network_of_ipv6_is_one_visitor_and_an_address_of_ipv4(
    one: str, other: str, status: int, settings: Settings
) -> None:
    """The attack: everybody has billions of IPv6 addresses. Proxies may write IPv4 addresses as IPv6."""
    cache.clear()
    settings.API_RATES = {"anon": "1/min"}
    assert Client(REMOTE_ADDR=one).get("/api/v1/games/").status_code == 200
    assert Client(REMOTE_ADDR=other).get("/api/v1/games/").status_code == status


@pytest.mark.parametrize(
    ("action", "path"),
    [
        *[("upload", "versions/"), ("trial", "trials/")],
        *[("rerun", "matches/{match}/rerun/"), ("challenge", "bots/{bot}/challenge/")],
    ],
)
def test_the_limits_of_the_sites_forms_hold_here_too(arena: Arena, settings: Settings, action: str, path: str) -> None:
    settings.ACCOUNT_RATE_LIMITS = {action: "1/h/user"}
    client = arena.client("owner")
    first, second = (client.post(arena.path(path), {}).status_code for _ in range(2))
    assert first != 429
    assert second == 429
    assert arena.client("user").post(arena.path(path), {}).status_code != 429


def test_the_limits_of_the_sites_forms_say_when_to_ask_again(
    arena: Arena, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"trial": "2/h/user"}
    client, began = arena.client("owner"), time.time()
    client.head("/api/v1/trials/")  # does not count
    waits = []
    for seconds in (0, 1_200, 1_200, 3_601):
        monkeypatch.setattr(time, "time", lambda now=began + seconds: now)
        waits.append(client.post("/api/v1/trials/", {}).get("Retry-After"))
    assert waits == [None, None, "2400", None]


def test_the_ratings_of_one_version_can_be_chosen(client: Client) -> None:
    bot = make_version("first").bot
    for version in (bot.versions.get(), make_upload(bot, number=2, state="retired")):
        RatingPoint.objects.create(version=version, games=3, rating=1_500, standard_error=30, at=timezone.now())
    address = f"/api/v1/bots/{bot.pk}/rating/"
    assert [point["version"] for point in client.get(address).json()] == [1, 2]
    assert [point["version"] for point in client.get(f"{address}?version=2").json()] == [2]
    assert client.get(f"{address}?version=two").status_code == 400


# --- Queries ----------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("kept")
def test_lists_cost_the_same_however_long_they_are(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    records = make_records("a", "b")
    for number in range(12):
        first, second = make_version(f"{number} a"), make_version(f"{number} b")
        make_rating(first)
        finish_match(make_match(first, second), records)
    bot, match = first.bot.pk, first.seats.get().match_id
    for path, queries in (
        ("matches/", 2),
        (f"bots/{bot}/matches/", 6),
        (f"bots/{bot}/", 2),
        (f"bots/{bot}/rating/", 4),
        (f"bots/{bot}/opponents/", 5),
        (f"matches/{match}/", 5),
        ("games/kakomimasu/board/", 2),
        ("board/", 2),
        ("games/", 0),
    ):
        with django_assert_max_num_queries(queries):
            assert client.get(f"/api/v1/{path}").status_code == 200


def test_ones_own_and_administrators_lists_cost_the_same_however_long_they_are(
    arena: Arena, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(12):
        values = {"bot": arena.bot.pk, "name": "Moat", "is_house": False, "league": 1}
        Notification.objects.create(reader=arena.staff, kind="promoted", occasion=str(number), values=values)
    client = arena.client("staff")
    lists = (("fleet/", 8), ("fleet/audit/", 3), ("fleet/hosts/", 3), ("notifications/", 3), ("users/alice/", 5))
    for path, queries in lists:
        with django_assert_max_num_queries(queries):
            assert client.get(f"/api/v1/{path}").status_code == 200
