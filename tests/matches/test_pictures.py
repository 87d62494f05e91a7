"""The pictures that previews of links to matches show."""

from __future__ import annotations

import re
from io import BytesIO
from typing import Any

import pytest
from django.core.cache import caches
from django.test import Client
from PIL import Image
from pytest_django import Settings

from games.picture import PAPER, SEATS, tint
from games.registry import game_names
from matches.models import Match, Result
from matches.pictures import HEIGHT, WIDTH
from tests.matches.makers import finish_match, finish_random_match, make_match, make_records, make_running, make_version

pytestmark = pytest.mark.django_db

BYTES_MAX = 60_000


@pytest.fixture(autouse=True)
def _pictures_are_cached(settings: Settings) -> None:
    """Cache as in a running arena, without the pictures of the tests before, whose matches had the same numbers."""
    settings.CACHES = settings.CACHES | {"pages": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    caches["pages"].clear()


def picture_of(client: Client, match: Match) -> Image.Image:
    answer = client.get(f"/matches/{match.pk}/picture.png")
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "image/png"
    assert answer.headers["Cache-Control"] == "public, max-age=3600"
    assert len(answer.content) < BYTES_MAX
    picture = Image.open(BytesIO(answer.content))
    assert picture.size == (WIDTH, HEIGHT)
    return picture.convert("RGB")


def has_colour(picture: Image.Image, colour: str) -> bool:
    """Return whether many pixels have nearly this colour; the palette of a PNG moves colours a little."""
    wanted = tuple(int(colour[at : at + 2], 16) for at in (1, 3, 5))
    found = picture.getcolors(WIDTH * HEIGHT) or []
    near = [count for count, seen in found if max(abs(a - b) for a, b in zip(seen, wanted, strict=True)) < 12]
    return sum(near) > 300


@pytest.mark.parametrize("game", game_names())
def test_every_game_has_a_picture_of_its_last_board(client: Client, game: str) -> None:
    match = finish_random_match(game)
    board = picture_of(client, match).crop((40, 40, 500, 590))
    assert len(board.getcolors(WIDTH * HEIGHT) or []) > 5


def test_the_board_shows_walls_and_areas_of_the_seats(client: Client, finished: Match) -> None:
    board = picture_of(client, finished).crop((40, 40, 600, 590))
    assert all(has_colour(board, colour) for colour in (SEATS[0], SEATS[1], tint(SEATS[0]), PAPER))
    assert not has_colour(board, SEATS[2])


def test_it_is_painted_once(client: Client, finished: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    first = picture_of(client, finished)
    monkeypatch.setattr("matches.pictures._painted", lambda *_: pytest.fail("it was cached"))
    assert picture_of(client, finished).tobytes() == first.tobytes()


@pytest.mark.parametrize(
    "change",
    [
        {"tiles": ["?" * 5000]},
        {"tiles": ["." * 5000]},
        {"tiles": []},
        {"tiles": 7},
        {"agents": [[[[], []]], []]},
    ],
)
def test_frames_that_are_none_of_the_game_leave_the_board_out(client: Client, change: dict[str, Any]) -> None:
    records = make_records("Alpha", "Beta")
    records[-2]["frame"] |= change
    match = finish_match(make_match(make_version("Alpha"), make_version("Beta")), records)
    assert has_colour(picture_of(client, match).crop((40, 180, 400, 400)), SEATS[0]), "the seats stand where it was"


def test_names_that_the_font_lacks_leave_the_letter(client: Client) -> None:
    picture_of(client, finish_match(make_match(make_version("番付\u202e"), make_version("x" * 40))))


def test_there_is_none_of_what_guests_do_not_see(client: Client, finished: Match) -> None:
    running = make_running("Gamma", "Delta")
    url = f"/matches/{finished.pk}/picture.png"
    assert client.get(f"/matches/{running.pk}/picture.png").status_code == 404
    owner = finished.seats.all()[0].version.bot.owner
    picture_of(client, finished)
    Match.objects.filter(pk=finished.pk).update(kind=Match.Kind.TRIAL)
    client.force_login(owner)
    page = client.get(f"/matches/{finished.pk}/")
    assert page.status_code == 200
    assert "og:image" not in page.text
    assert client.get(url).status_code == 404, "not for its owner either, and not from the cache"
    Match.objects.filter(pk=finished.pk).update(kind=Match.Kind.TOURNAMENT, is_hidden=True)
    assert client.get(url).status_code == 404
    Match.objects.filter(pk=finished.pk).update(kind=Match.Kind.LADDER, is_hidden=False)
    Result.objects.filter(match=finished).update(replay_digest="")
    assert client.get(url).status_code == 404


def previewed(page: str) -> dict[str, str]:
    """Return what a page says for previews."""
    return dict(re.findall(r'property="(og:[a-z:]+)" content="([^"]*)">', page))


def test_the_page_of_a_match_names_its_picture(client: Client, finished: Match) -> None:
    page = client.get(f"/matches/{finished.pk}/").text
    found = previewed(page)
    assert found["og:image"] == f"http://testserver/matches/{finished.pk}/picture.png"
    assert found["og:url"] == f"http://testserver/matches/{finished.pk}/"
    assert found["og:title"].startswith("Alpha against Beta")
    assert 'name="twitter:card" content="summary_large_image"' in page


def test_other_pages_have_previews_too(client: Client, finished: Match) -> None:
    front = previewed(client.get("/").text)
    assert front["og:title"] == "Write a bot. Watch it climb."
    assert front["og:image"] == f"http://testserver/matches/{finished.pk}/picture.png"
    board = previewed(client.get("/games/kakomimasu/").text)
    assert (board["og:title"], "og:image" in board) == ("Kakomimasu", False)
    bot = finished.seats.all()[0].version.bot
    assert previewed(client.get(f"/bots/{bot.pk}/").text)["og:description"] == "A bot that plays Kakomimasu."
