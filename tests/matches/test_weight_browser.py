"""How many bytes a page has and how it is fetched: all at once, no file twice, none in vain."""

from __future__ import annotations

import gzip
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.contrib.staticfiles import finders
from playwright.sync_api import Page, expect

from core.game import JsonObject
from core.referee import Reply, SeatInfo, Turn, drive, play
from games.registry import game_named
from matches.models import Match
from matches.viewer import VIEWER_MODULES
from tests.matches.makers import finish_match, make_match, make_version

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

FIRST_PAGE_BYTES = 150_000
VIEWER_BYTES = 300_000

FETCHED = """() => ["navigation", "resource"].flatMap((kind) => performance.getEntriesByType(kind)).map((entry) => (
  { url: entry.name, bytes: entry.transferSize }))"""


def make_records() -> list[JsonObject]:
    """Play the longest match of four players, who walk to and fro over the whole board for 250 rounds."""
    corners = ("0 0", "34 19", "34 0", "0 19")

    def answer(turn: Turn) -> dict[int, Reply]:
        return {ask.seat: Reply([corners[(turn.number // 40 + ask.seat) % 4]], 1.5, 3.0) for ask in turn.asks}

    seats = [SeatInfo(name, "1", "d" * 64) for name in "ABCD"]
    return drive(play(game_named("back_to_the_code"), seed=1, seats=seats), answer)[1]


@pytest.fixture
def match() -> Match:
    return finish_match(make_match(*map(make_version, "ABCD"), game="back_to_the_code"), make_records())


def weight(fetched: dict[str, Any]) -> int:
    """Return what a response weighs in an installation: its static files are stored compressed."""
    path = urlsplit(fetched["url"]).path
    if not path.startswith("/static/"):
        return int(fetched["bytes"])
    found = finders.find(path.removeprefix("/static/"))
    assert isinstance(found, str)
    with open(found, "rb") as file:
        return len(gzip.compress(file.read())) + 300  # its headers


def test_the_viewer_of_a_long_match_is_light_and_fetched_at_once(page: Page, match: Match) -> None:
    page.goto(f"/matches/{match.pk}/#t=0")
    expect(page.locator("[data-viewer=root][data-state=ready]")).to_be_visible()
    expect(page.locator("[data-viewer=turn]")).to_have_text("Turn 0 of 250")
    fetched = page.evaluate(FETCHED)
    assert sum(map(weight, fetched)) < VIEWER_BYTES
    assert sum(entry["bytes"] for entry in fetched) < VIEWER_BYTES  # even if a proxy undoes the compression

    modules = [PurePosixPath(entry["url"]).stem for entry in fetched if "/matches/viewer/" in entry["url"]]
    scripts = [name for name in modules if name != "viewer"]  # viewer.css
    assert sorted(scripts) == sorted([*VIEWER_MODULES, "back_to_the_code"])
    assert sum(entry["url"].endswith("/replay.json") for entry in fetched) == 1
    hints = page.locator("link[rel=modulepreload]").evaluate_all("links => links.map((link) => link.href)")
    assert set(hints) == {entry["url"] for entry in fetched if entry["url"].endswith(tuple(f"{n}.js" for n in scripts))}


def test_the_first_page_is_light(page: Page, match: Match) -> None:
    page.goto("/")
    expect(page.frame_locator("iframe").locator("[data-viewer=root][data-state=ready]")).to_be_attached()
    of_frames = [entry for frame in page.frames for entry in frame.evaluate(FETCHED)]
    assert len(page.frames) == 2
    assert sum(map(weight, of_frames)) < FIRST_PAGE_BYTES
