"""Pages of other sites can read what is public and nothing else (CORS): the headers, and a real browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from http.server import HTTPServer, SimpleHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from knox.models import AuthToken
from playwright.sync_api import Browser
from pytest_django import Settings

from tests.api.conftest import Arena
from tests.browsing import sign_in
from tests.ladder.makers import make_user
from tests.serving import serving

ASKS = {"Origin": "https://pages.example", "Access-Control-Request-Method": "GET"}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("matches/", 200),
        ("matches/{match}/replay/", 200),
        ("games/{game}/log/", 302),
        ("nothing/", 404),
        ("account/", 401),
        ("languages/", 500),
    ],
)
def test_pages_may_read_what_is_public_and_why_it_is_not_there(
    arena: Arena, client: Client, monkeypatch: pytest.MonkeyPatch, path: str, status: int
) -> None:
    monkeypatch.setattr("api.views.games.languages_all", lambda: 1 / 0)
    client.raise_request_exception = False
    answer = client.get(arena.path(path), headers={"Origin": "https://pages.example"})
    assert answer.status_code == status
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in answer
    assert "Origin" not in answer.get("Vary", "")
    if status == 200:
        again = client.get(arena.path(path), headers={"If-None-Match": answer["ETag"]})
        assert (again.status_code, again["Access-Control-Allow-Origin"]) == (304, "*")


@pytest.mark.django_db
def test_no_page_and_no_answer_to_a_change_is_open_to_others(arena: Arena, client: Client) -> None:
    paths = ("/", "/accounts/login/", "/api/", "/api/tokens/", "/admin/login/", "/matches/", "/mine/")
    answers = [answer for path in paths for answer in (client.get(path), client.options(path, headers=ASKS))]
    changes = (("POST", "login/"), ("POST", "trials/"), ("DELETE", "tokens/unknown/"))
    answers += [arena.client("owner").generic(method, arena.path(path)) for method, path in changes]
    for answer in answers:
        assert not [name for name in answer.headers if name.startswith("Access-Control-Allow")], answer.request


@pytest.mark.django_db
def test_a_browser_that_asks_may_send_the_tag_of_what_it_has_and_nothing_else(
    client: Client, settings: Settings
) -> None:
    """The attack: a page has its visitors' browsers try passwords (JSON) or tokens (Authorization)."""
    answer = client.options("/api/v1/games/", headers=ASKS)
    assert (answer.status_code, answer["Access-Control-Allow-Origin"]) == (204, "*")
    assert answer["Access-Control-Allow-Methods"] == "GET, HEAD"
    assert answer["Access-Control-Allow-Headers"] == "If-None-Match"
    assert client.options("/api/v1/games/").status_code == 405, "no preflight request of a browser"
    settings.API_SAME_ORIGIN = True  # a closed network keeps its arena to itself
    assert "Access-Control-Allow-Origin" not in client.get("/api/v1/games/")
    assert client.options("/api/v1/games/", headers=ASKS).status_code == 405


# --- In a browser -----------------------------------------------------------------------------------------------------

Fetch = Callable[..., Any]
FETCH = """async ([url, options]) => {
    try {
        const answer = await fetch(url, options);
        return [answer.status, answer.headers.get("ETag"), answer.headers.get("Retry-After")];
    } catch (error) {
        return error.name;
    }
}"""


@pytest.fixture
def fetch(browser: Browser, site_url: str, tmp_path: Path) -> Iterator[Fetch]:
    """Fetches a path of the arena from a page of another origin, in the browser of a user who is signed in.

    To a browser both are of one site, as arena.example and pages.example of one owner would be: it sends its cookies
    when it is told to, which it does not to a stranger's page.
    """
    cache.clear()
    make_user("alice")
    context = browser.new_context(base_url=site_url)
    page = context.new_page()
    sign_in(page)
    page_of_somebody = partial(SimpleHTTPRequestHandler, directory=tmp_path)
    with serving(HTTPServer(("127.0.0.1", 0), page_of_somebody)) as address:
        page.goto(address)
        yield lambda path, **options: page.evaluate(FETCH, [f"{site_url}{path}", options])
        context.close()


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_a_page_elsewhere_reads_boards_logs_and_tags(fetch: Fetch, settings: Settings) -> None:
    status, etag, _ = fetch("/api/v1/games/kakomimasu/board/")
    assert (status, etag[0]) == (200, '"')
    assert fetch("/api/v1/games/kakomimasu/board/", headers={"If-None-Match": etag}, cache="no-store")[0] == 304
    assert fetch("/api/v1/games/kakomimasu/log/")[0] == 200
    settings.API_RATES = {"anon": "0/min"}
    status, _, wait = fetch("/api/v1/games/")
    assert (status, wait) == (429, "60")


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_a_page_elsewhere_reads_nothing_as_its_visitor(fetch: Fetch) -> None:
    """The attack: a page of another site reads the accounts of its visitors, by their cookies or a found token."""
    _, token = AuthToken.objects.create(user=make_user("bob"))
    assert fetch("/api/v1/account/")[0] == 401, "without the cookie"
    assert fetch("/api/v1/account/", credentials="include") == "TypeError"
    assert fetch("/api/v1/games/", credentials="include") == "TypeError"
    assert fetch("/api/v1/account/", headers={"Authorization": f"Bearer {token}"}) == "TypeError"
    assert fetch("/accounts/login/") == "TypeError"
    assert fetch("/api/v1/login/", method="POST", body="{}") == "TypeError"
