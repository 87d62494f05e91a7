"""In which language the site speaks to whom: by the browser, by the switch in the foot, on kept pages."""

from __future__ import annotations

from http import HTTPStatus

import pytest
from django.core.cache import caches
from django.test import Client
from pytest_django.fixtures import Settings

from tests.ladder.makers import make_ranked, make_standings

pytestmark = [pytest.mark.database, pytest.mark.django_db]

BOARD = "/games/kakomimasu/"


def language_of(client: Client, path: str = "/", **headers: str) -> str:
    """Return the language that a page says it is in."""
    body = client.get(path, headers=headers).content.decode()
    return body.partition('<html lang="')[2].partition('"')[0]


@pytest.mark.parametrize(
    ("wanted", "language"),
    [
        ("ja", "ja"),
        ("ru-RU,ru;q=0.9,en;q=0.8", "ru"),
        ("de,ja;q=0.5", "ja"),
        ("de", "en"),
        ("", "en"),
        ("xx;q=z", "en"),
    ],
)
def test_the_browsers_language(client: Client, wanted: str, language: str) -> None:
    answer = client.get("/", headers={"Accept-Language": wanted})
    assert f'<html lang="{language}"' in answer.content.decode()
    assert answer["Content-Language"] == language
    assert {"Accept-Language", "Cookie"} <= set(answer["Vary"].split(", "))


def test_the_switch_is_remembered_and_leads_back(client: Client) -> None:
    answer = client.post("/language/", {"language": "ru"}, headers={"Referer": "http://testserver/games/"})
    assert (answer.status_code, answer["Location"]) == (HTTPStatus.FOUND, "http://testserver/games/")
    assert answer.cookies["django_language"]["max-age"] > 300 * 24 * 3600
    assert language_of(client, **{"Accept-Language": "ja"}) == "ru"


def test_the_switch_needs_no_token_and_pages_have_none() -> None:
    careful = Client(enforce_csrf_checks=True)
    assert "csrf" not in careful.get("/").content.decode(), "a token would keep the page from the cache"
    answer = careful.post("/language/", {"language": "ja"}, headers={"Origin": "http://testserver"})
    assert answer.status_code == HTTPStatus.FOUND


@pytest.mark.parametrize("origin", ["https://elsewhere.example", "null", "http://testserver.elsewhere.example"])
def test_another_site_cannot_switch(client: Client, origin: str) -> None:
    answer = client.post("/language/", {"language": "ja"}, headers={"Origin": origin})
    assert answer.status_code == HTTPStatus.FORBIDDEN
    assert "django_language" not in answer.cookies


def test_the_switch_leads_nowhere_else(client: Client) -> None:
    away = "https://elsewhere.example/"
    answer = client.post("/language/", {"language": "ja", "next": away}, headers={"Referer": away})
    assert answer["Location"] == "/"
    assert client.get("/language/").status_code == HTTPStatus.METHOD_NOT_ALLOWED


@pytest.mark.parametrize("language", ["de", "../../etc", ""])
def test_a_language_that_the_site_does_not_speak(client: Client, language: str) -> None:
    client.post("/language/", {"language": language})
    assert language_of(client) == "en"


def test_kept_pages_are_kept_by_language(settings: Settings) -> None:
    settings.CACHES = {
        **settings.CACHES,
        "pages": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "languages"},
    }
    caches["pages"].clear()
    make_ranked("Moat", 1_500)
    make_standings()
    for _ in range(2):
        assert language_of(Client(), BOARD, **{"Accept-Language": "en"}) == "en"
        assert language_of(Client(), BOARD, **{"Accept-Language": "ja"}) == "ja"
        chosen = Client()
        chosen.cookies["django_language"] = "ru"
        assert language_of(chosen, BOARD, **{"Accept-Language": "ja"}) == "ru"
