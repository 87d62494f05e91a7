"""The language of the site: by the browser, by the switch in the foot, on cached pages, in the API."""

from __future__ import annotations

import re
from http import HTTPStatus

import pytest
from django.core.cache import caches
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from core.message import Message, stored
from ladder.models import RatingPoint
from tests.ladder.makers import make_ranked, make_standings, make_version

pytestmark = pytest.mark.django_db

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
        ("tlh,ja;q=0.5", "ja"),
        ("tlh", "en"),
        ("", "en"),
        ("xx;q=z", "en"),
    ],
)
def test_pages_are_in_the_language_of_the_browser(client: Client, wanted: str, language: str) -> None:
    answer = client.get("/", headers={"Accept-Language": wanted})
    assert f'<html lang="{language}"' in answer.content.decode()
    assert answer["Content-Language"] == language
    assert {"Accept-Language", "Cookie"} <= set(answer["Vary"].split(", "))


def test_the_switch_sets_the_language_and_redirects_back(client: Client) -> None:
    answer = client.post("/language/", {"language": "ru"}, headers={"Referer": "http://testserver/games/"})
    assert (answer.status_code, answer["Location"]) == (HTTPStatus.FOUND, "http://testserver/games/")
    assert answer.cookies["django_language"]["max-age"] > 300 * 24 * 3600
    assert language_of(client, **{"Accept-Language": "ja"}) == "ru"


def test_the_switch_needs_no_csrf_token_and_pages_have_none() -> None:
    careful = Client(enforce_csrf_checks=True)
    assert "csrf" not in careful.get("/").content.decode(), "a token would keep the page from the cache"
    answer = careful.post("/language/", {"language": "ja"}, headers={"Origin": "http://testserver"})
    assert answer.status_code == HTTPStatus.FOUND


@pytest.mark.parametrize(
    "origin", ["https://elsewhere.example", "null", "http://testserver.elsewhere.example", "http://["]
)
def test_another_site_cannot_switch(client: Client, origin: str) -> None:
    answer = client.post("/language/", {"language": "ja"}, headers={"Origin": origin})
    assert answer.status_code == HTTPStatus.FORBIDDEN
    assert "django_language" not in answer.cookies


def test_the_sites_other_names_may_switch(client: Client, settings: Settings) -> None:
    settings.CSRF_TRUSTED_ORIGINS = ["https://arena.example"]
    answer = client.post("/language/", {"language": "ja"}, headers={"Origin": "https://arena.example"})
    assert answer.cookies["django_language"].value == "ja"


def test_the_switch_redirects_to_no_other_site(client: Client) -> None:
    away = "https://elsewhere.example/"
    answer = client.post("/language/", {"language": "ja", "next": away}, headers={"Referer": away})
    assert answer["Location"] == "/"
    assert client.get("/language/").status_code == HTTPStatus.METHOD_NOT_ALLOWED


@pytest.mark.parametrize("language", ["tlh", "../../etc", ""])
def test_an_unknown_language_is_ignored(client: Client, language: str) -> None:
    client.post("/language/", {"language": language})
    assert language_of(client) == "en"


def test_cached_pages_are_cached_by_language(settings: Settings) -> None:
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


def test_the_api_answers_in_the_language_of_the_caller(client: Client) -> None:
    version = make_version(
        state="rejected", verdict="crashed", reason=stored(Message("bot-killed", {"signal": "11 (SIGSEGV)"}))
    )
    client.force_login(version.bot.owner)
    tags = set()
    for language, sentence in (
        ("ja", "シグナル 11 (SIGSEGV) で終了しました。"),
        ("ru", "Программа убита сигналом 11 (SIGSEGV)."),
    ):
        answer = client.get(f"/api/v1/versions/{version.pk}/", headers={"Accept-Language": language})
        assert answer.json()["sentence"] == sentence
        assert "Accept-Language" in answer["Vary"]
        tags.add(answer["ETag"])
    assert len(tags) == 2, "no answer may be taken for one in another language"
    problem = client.get("/api/v1/bots/999/", headers={"Accept-Language": "ru"}).json()
    assert problem["detail"] == "Такого объекта нет, или у вас нет к нему доступа."


def test_numbers_in_drawings_are_not_localized(client: Client) -> None:
    version = make_ranked("Moat", 1_500)
    for number in range(5):
        RatingPoint.objects.create(
            version=version, rating=1_500 + number / 3, standard_error=20.5, games=number + 1, at=timezone.now()
        )
    body = client.get(f"/bots/{version.bot_id}/", headers={"Accept-Language": "ru"}).content.decode()
    drawing = body[body.index("<svg viewBox") : body.index("</svg>")]
    assert 'class="graph-line"' in drawing
    assert not re.search(r'(?:x1|y1|cx|cy|x|y)="\d+,\d', drawing), "a comma is no part of a number in SVG"
