"""The front page and embedded matches in a real Chromium, and how many bytes it fetches for them."""

from __future__ import annotations

import gzip
import re
from pathlib import PurePosixPath

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, Response, Route, expect

from core.referee import Reply, SeatInfo, Turn, drive, play
from games.registry import game_named
from matches.models import Match
from matches.viewer import FLUENT, VIEWER_MODULES
from tests.matches.makers import finish_match, make_match, make_records, make_version
from tests.matches.test_viewer_attack25 import make_records as attack25_records

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

NAMES = ("Alpha", "Beta", "Gamma", "Delta")
ROUNDS = 250
TALL_SEED = 43
"""Its board has 24 rows of 10 columns: no other is as narrow for its height."""
FRONT_BYTES_MAX = 150_000
VIEWER_BYTES_MAX = 300_000


@pytest.fixture
def long_match() -> Match:
    """Four players and 250 rounds of Back to the Code: the longest of all matches."""
    targets = [(34, 0), (0, 19), (34, 19), (0, 0), (17, 10)]

    def answer(turn: Turn) -> dict[int, Reply]:
        legs = {ask.seat: targets[(turn.number // 20 + ask.seat) % len(targets)] for ask in turn.asks}
        return {seat: Reply([f"{x} {y}"], 1.0, 2.0) for seat, (x, y) in legs.items()}

    rules = game_named("back_to_the_code")
    _, records = drive(play(rules, seed=7, seats=[SeatInfo(name) for name in NAMES]), answer)
    versions = [make_version(name) for name in NAMES]
    match = make_match(*versions, game="back_to_the_code")
    Match.objects.filter(pk=match.pk).update(rules_version=rules.rules_version)
    assert len(records) == ROUNDS + 2
    return finish_match(match, records)


@pytest.fixture
def fetched(page: Page) -> list[Response]:
    """All responses that the browser has received, also for iframes."""
    answers: list[Response] = []
    page.on("response", lambda answer: answers.append(answer))
    return answers


def sizes(answers: list[Response]) -> dict[str, int]:
    """Bytes by url. Static files count as an installation sends them: compressed (``serving.static_files``)."""
    bodies = {answer.url: answer.body() for answer in answers}
    return {url: len(gzip.compress(body)) if is_packed(url) else len(body) for url, body in bodies.items()}


def is_packed(url: str) -> bool:
    return "/static/" in url or url.endswith("/replay.json")


def test_the_viewer_is_light_and_fetched_at_once(page: Page, long_match: Match, fetched: list[Response]) -> None:
    page.goto(f"/matches/{long_match.pk}/")
    expect(page.locator("[data-viewer=root][data-state=ready]")).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert 30_000 < sum(sizes(fetched).values()) < VIEWER_BYTES_MAX, sizes(fetched)
    unpacked = [len(answer.body()) for answer in fetched if not answer.url.endswith("/replay.json")]
    assert sum(unpacked) < VIEWER_BYTES_MAX, "even if a proxy undoes the compression"

    urls = [answer.url for answer in fetched]
    assert sum(url.endswith("/replay.json") for url in urls) == 1
    modules = [url for url in urls if "/matches/viewer/" in url or "/games/back_to_the_code/" in url]
    scripts = [url for url in modules if url.endswith(".js")]
    assert sorted(PurePosixPath(url).stem for url in scripts) == sorted([*VIEWER_MODULES, "viewer"])
    hints = page.locator("link[rel=modulepreload]").evaluate_all("links => links.map((link) => link.href)")
    assert set(hints) == {*scripts, next(url for url in urls if url.endswith(FLUENT))}


def test_the_front_page_is_light_and_plays_a_match(page: Page, long_match: Match, fetched: list[Response]) -> None:
    page.goto("/")
    frame = page.frame_locator("iframe")
    expect(frame.locator("[data-viewer=root][data-state=ready]")).to_be_visible()
    expect(frame.locator("[data-viewer=turn]")).to_have_text(re.compile(rf"Turn [1-9]\d* of {ROUNDS}"))
    expect(frame.locator(".viewer-name")).to_have_text(list(NAMES))
    assert 30_000 < sum(sizes(fetched).values()) < FRONT_BYTES_MAX, sizes(fetched)


@pytest.fixture(params=["tall", "four seats"])
def demanding_match(request: pytest.FixtureRequest) -> Match:
    """The two that need most space in an iframe: the tallest board of Kakomimasu, and a square one with four seats."""
    if request.param == "tall":
        match = make_match(make_version("Alpha"), make_version("Beta"))
        return finish_match(match, make_records("Alpha", "Beta", options={"agents": 2}, seed=TALL_SEED))
    match = make_match(*map(make_version, NAMES), game="attack25")
    return finish_match(match, attack25_records())


def overflow(page: Page) -> int:
    """Return by how many pixels the loaded match is higher than its iframe."""
    frame = page.frame_locator("iframe")
    expect(frame.locator("[data-viewer=root][data-state=ready]")).to_be_visible()
    width: int = frame.locator("[data-viewer=board]").evaluate("board => board.clientWidth")
    assert width > 100, "all of a board that nobody can see"
    height: int = frame.locator("html").evaluate("html => html.scrollHeight - html.clientHeight")
    return height


def seem_played_now(route: Route) -> None:
    """Add the elements that an embedded page has while its match is played: a line above the board, and a button."""
    answer = route.fetch()
    live = '<p class="viewer-live"><span class="state state-running">Live</span> This match is being played now.</p>'
    text = answer.text().replace("<noscript>", f"{live}<noscript>", 1)
    speed = '<select data-viewer="speed"></select></label>'
    assert speed in text
    button = '<button type="button" class="viewer-wide">Follow live</button>'
    route.fulfill(response=answer, body=text.replace(speed, speed + button))


def test_the_whole_match_is_seen_in_its_frame(page: Page, demanding_match: Match) -> None:
    for live in (False, True):
        if live:
            page.route("**/embed/?play", seem_played_now)
        for width in (360, 390, 900, 1280):
            page.set_viewport_size({"width": width, "height": 740})
            page.goto("/")
            assert overflow(page) == 0, width
            assert page.frame_locator("iframe").locator(".viewer-live").count() == live


def test_a_show_fills_its_screen(page: Page, demanding_match: Match) -> None:
    for width, height in ((360, 900), (1280, 720), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        page.goto("/matches/show/")
        expect(page.locator("[data-viewer=root][data-state=ready]")).to_be_visible()
        free = page.evaluate("document.documentElement.clientHeight - document.querySelector('main').scrollHeight")
        board = page.locator("[data-viewer=board]").evaluate("board => [board.clientWidth, board.clientHeight]")
        assert free >= 0, width
        assert board[0] > 0.8 * width or board[1] > 0.8 * (height - 390) or board[1] > 300, board


def test_a_name_in_a_frame_gives_no_room_to_milliseconds(page: Page) -> None:
    name = "Moat of Rivers"
    match = finish_match(make_match(make_version(name), make_version("Beta")), make_records(name, "Beta"))
    page.set_viewport_size({"width": 640, "height": 800})
    page.goto(f"/matches/{match.pk}/embed/#t=3")
    expect(page.locator(".viewer-cpu").first).to_contain_text("CPU")
    assert page.locator(".viewer-name").first.evaluate("name => name.scrollWidth <= name.clientWidth")


def test_the_newest_matches_are_whole_where_all_is_shown_four_times_as_large(page: Page) -> None:
    finish_match(make_match(make_version("greedy"), make_version("random")))
    page.set_viewport_size({"width": 320, "height": 200})
    page.goto("/")
    table = page.locator("table.matches")
    assert table.evaluate("table => table.scrollWidth <= table.parentElement.clientWidth")
    names = table.locator(".match-seats a").evaluate_all("all => all.map((name) => name.getClientRects().length)")
    assert names == [1, 1]


def test_nothing_bars_anybody(page: Page, finished: Match) -> None:
    for url in ("/", f"/matches/{finished.pk}/embed/", f"/matches/{finished.pk}/embed/?play&show="):
        page.goto(url)
        inner = page.frame_locator("iframe") if url == "/" else page
        expect(inner.locator("[data-viewer=root][data-state=ready]")).to_be_visible()
        found = Axe().run(page)
        assert [v["id"] for v in found.response["violations"] if v["impact"] in ("serious", "critical")] == [], url
