"""The page handler: one thread answers a request and keeps nothing of it."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse
from django.utils.translation import get_language
from pytest_django.fixtures import Settings
from structlog.contextvars import get_contextvars, merge_contextvars
from structlog.testing import capture_logs

from arena.asgi import application
from arena.serving.body_limit import Application
from arena.serving.page_handler import PageHandler, is_page
from arena.settings.base import DATABASE_POOL
from common.held import hold
from common.threads import (
    ACCOUNT_THREADS,
    PAGE_THREADS,
    PAGES,
    PROVIDER_THREADS,
    STREAM_THREADS,
    TRIES,
    TRY_THREADS,
    UPLOAD_THREADS,
    UPLOADS,
    ask_database,
)

Events = list[dict[str, Any]]


def ask(path: str, **request: Any) -> Events:
    """Send a request through the page handler, or another application; return the events that it sends."""
    return asyncio.run(asked(path, **request))


async def asked(
    path: str,
    *,
    method: str = "GET",
    body: bytes = b"",
    headers: dict[str, str] | None = None,
    site: Application | None = None,
) -> Events:
    all_headers = {"host": "localhost", **(headers or {})}
    scope = {
        "type": "http",
        "method": method,
        "path": path,
        "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in all_headers.items()],
        "server": ("localhost", 80),
    }
    sent: Events = []
    bodies = iter([body])

    async def receive() -> dict[str, Any]:
        for whole in bodies:
            return {"type": "http.request", "body": whole, "more_body": False}
        await asyncio.Event().wait()  # the visitor stays
        raise AssertionError

    async def send(event: Any) -> None:
        sent.append(event)

    await (site or PageHandler())(scope, receive, send)
    return sent


def content(events: Events) -> bytes:
    return b"".join(event.get("body", b"") for event in events)


def test_middleware_and_view_share_a_thread_that_is_not_the_loops(monkeypatch: pytest.MonkeyPatch) -> None:
    threads = []
    whole = AuthenticationMiddleware.process_request

    def noted(self: AuthenticationMiddleware, request: HttpRequest) -> None:
        threads.append(threading.get_ident())
        whole(self, request)

    def answered(self: PageHandler, request: HttpRequest) -> HttpResponse:
        threads.append(threading.get_ident())
        return own(self, request)

    own = PageHandler.get_response
    monkeypatch.setattr(AuthenticationMiddleware, "process_request", noted)
    monkeypatch.setattr(PageHandler, "get_response", answered)
    assert ask("/livez")[0]["status"] == 200
    assert len(threads) == 2
    assert len(set(threads)) == 1
    assert threads[0] != threading.get_ident()


@pytest.mark.parametrize(
    ("method", "path", "lane"),
    [
        ("POST", "/accounts/signup/", "account"),
        ("POST", "/api/v1/login/", "account"),
        ("POST", "/accounts/openid/login/", "provider"),
        ("GET", "/accounts/github/callback/", "provider"),
        ("GET", "/accounts/signup/", "page"),
        ("POST", "/livez", "page"),
        ("POST", "/upload/", "upload"),
        ("GET", "/upload/", "page"),
        ("POST", "/api/v1/versions/", "upload"),
        ("POST", "/api/v1/versions/7/enter/", "upload"),
        ("GET", "/api/v1/versions/7/", "page"),
        ("POST", "/api/v1/versions/7/retire/", "page"),
        ("POST", "/versions/7/again/", "upload"),
        ("POST", "/bots/7/enter/", "upload"),
        ("POST", "/workshop/games/puyo/submit/", "upload"),
        ("POST", "/workshop/contests/spring/tries/", "try"),
        ("GET", "/workshop/tries/7/", "try"),
        ("POST", "/api/v1/tries/", "try"),
        ("GET", "/api/v1/tries/7/", "try"),
    ],
)
def test_each_kind_of_request_has_threads_of_its_own(
    monkeypatch: pytest.MonkeyPatch, method: str, path: str, lane: str
) -> None:
    """Otherwise sixty sign-ups within a minute take all threads, and readers of pages wait for seconds.

    A provider that hangs holds up none but those who sign in there.
    """
    threads = []

    def answered(self: PageHandler, request: HttpRequest) -> HttpResponse:
        threads.append(threading.current_thread().name)
        return HttpResponse()

    monkeypatch.setattr(PageHandler, "get_response", answered)
    assert ask(path, method=method)[0]["status"] == 200
    assert [name.partition("_")[0] for name in threads] == [lane]


def test_every_thread_can_have_a_database_connection() -> None:
    threads = PAGE_THREADS + ACCOUNT_THREADS + PROVIDER_THREADS + UPLOAD_THREADS + TRY_THREADS + STREAM_THREADS
    assert DATABASE_POOL["max_size"] >= threads


@pytest.mark.parametrize(("pool", "threads"), [(UPLOADS, UPLOAD_THREADS), (TRIES, TRY_THREADS), (PAGES, PAGE_THREADS)])
def test_a_rush_of_one_kind_holds_up_no_other(
    monkeypatch: pytest.MonkeyPatch, pool: ThreadPoolExecutor, threads: int
) -> None:
    """While all threads of one kind wait, requests of the other kinds are answered."""
    monkeypatch.setattr(PageHandler, "get_response", lambda *_: HttpResponse())
    goes_on = threading.Event()
    waiting = [pool.submit(goes_on.wait) for _ in range(threads)]
    try:
        for method, path, own in (
            ("POST", "/upload/", UPLOADS),
            ("POST", "/api/v1/tries/", TRIES),
            ("GET", "/", PAGES),
        ):
            if own is not pool:
                assert ask(path, method=method)[0]["status"] == 200
        assert asyncio.run(ask_database(lambda: "a stream's answer")) == "a stream's answer"
    finally:
        goes_on.set()
    wait(waiting)


def test_a_response_that_is_held_back_takes_no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """The attack: a dozen players join from one address, and pages take as long as their tables need to begin."""
    has_come = threading.Event()

    def answered(_: PageHandler, request: HttpRequest) -> HttpResponse:
        response = HttpResponse()
        if request.path == "/v1/matches/free/players":
            hold(response, until=has_come.is_set, seconds=60)
        return response

    monkeypatch.setattr(PageHandler, "get_response", answered)

    async def many() -> None:
        joins = [asyncio.create_task(asked("/v1/matches/free/players", method="POST")) for _ in range(2 * PAGE_THREADS)]
        page = await asyncio.wait_for(asked("/"), timeout=30)
        assert page[0]["status"] == 200
        assert not any(join.done() for join in joins)
        has_come.set()
        assert {events[0]["status"] for events in await asyncio.gather(*joins)} == {200}

    asyncio.run(many())


def test_a_response_is_not_held_back_for_what_nobody_can_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    def answered(_: PageHandler, request: HttpRequest) -> HttpResponse:
        response = HttpResponse()
        hold(response, until=Mock(side_effect=OperationalError("the database is away")), seconds=600)
        return response

    monkeypatch.setattr(PageHandler, "get_response", answered)
    assert ask("/")[0]["status"] == 200


def test_the_liveness_check_answers_while_all_threads_wait() -> None:
    """They may wait for a database that is away: to restart the process for that would not help."""
    goes_on = threading.Event()
    waiting = [PAGES.submit(goes_on.wait, 5) for _ in range(PAGE_THREADS)]
    try:
        start, *rest = ask("/livez", site=application)
        assert not any(wait.done() for wait in waiting)
    finally:
        goes_on.set()
    assert (start["status"], content(rest)) == (200, b"ok")


# The error page reads announcements from the database.
@pytest.mark.django_db(transaction=True)
def test_missing_pages_and_errors_are_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    assert ask("/nowhere-at-all/")[0]["status"] == 404
    assert ask("/livez", headers={"host": "not a host"})[0]["status"] == 400

    def broken(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr("django_htmx.middleware.HtmxDetails.__init__", broken)
    assert ask("/livez")[0]["status"] == 500


def test_a_form_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    read = []
    own = PageHandler.get_response

    def answered(self: PageHandler, request: HttpRequest) -> HttpResponse:
        read.append(request.body)
        return own(self, request)

    monkeypatch.setattr(PageHandler, "get_response", answered)
    ask("/livez", method="POST", body=b"name=Moat")
    assert read == [b"name=Moat"]


@pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume")
def test_a_static_file_arrives_whole(settings: Settings, tmp_path: Path) -> None:
    settings.STATIC_ROOT = tmp_path
    settings.WHITENOISE_AUTOREFRESH = True
    (tmp_path / "big.css").write_bytes(b"a" * 200_000)
    start, *rest = ask("/static/big.css")
    assert start["status"] == 200
    assert content(rest) == b"a" * 200_000


def test_the_language_of_one_reader_does_not_stay_for_the_next() -> None:
    before = get_language()
    ask("/livez", headers={"accept-language": "ja"})
    assert get_language() == before


@pytest.mark.django_db(transaction=True)
def test_a_thread_that_used_the_database_returns_its_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    threads = {"asked": 0, "closed": 0}
    own, close = PageHandler.get_response, HttpResponse.close

    def answered(self: PageHandler, request: HttpRequest) -> HttpResponse:
        threads["asked"] = threading.get_ident()
        return own(self, request)

    def closed(self: HttpResponse) -> None:
        threads["closed"] = threading.get_ident()
        close(self)

    monkeypatch.setattr(PageHandler, "get_response", answered)
    monkeypatch.setattr(HttpResponse, "close", closed)
    assert ask("/games/")[0]["status"] == 200
    assert threads["asked"] == threads["closed"] != 0


def test_paths_of_asynchronous_views_are_no_pages() -> None:
    assert is_page("/matches/")
    assert is_page("/nowhere-at-all/")
    assert not is_page("/matches/1/live")
    assert not is_page("/games/kakomimasu/log")


@pytest.mark.django_db
def test_each_log_line_of_a_request_has_the_requests_number() -> None:
    """Otherwise nobody could assign the lines of ten requests that fail in one second."""
    with capture_logs(processors=[merge_contextvars]) as lines:
        for _ in range(2):
            ask("/healthz", site=application)
    unhealthy = [line for line in lines if line["event"] == "unhealthy"]
    assert len({line["request"] for line in unhealthy}) == len(unhealthy) == 2
    assert "request" not in get_contextvars()
