"""What a reader sees without scrolling, and which replays start by themselves, in a real Chromium for every game."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from banzuke.viewer import viewer_server
from core.replay import encode
from games.registry import game_names
from tests.matches.makers import (
    finish_match,
    finish_random_match,
    make_match,
    make_records,
    make_version,
    random_records,
)
from tests.matches.viewing import expect_in_first_screen, part
from tests.serving import serving

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

TALL_SEED = 43
"""Its board of Kakomimasu has 24 rows of 10 columns."""
DESK: ViewportSize = {"width": 1440, "height": 900}
PHONE: ViewportSize = {"width": 390, "height": 844}


@pytest.fixture
def home(request: pytest.FixtureRequest) -> Iterator[str]:
    """The url of the viewer at home, with a match of the game that the test names."""
    records = random_records(request.getfixturevalue("game"))
    with serving(viewer_server(encode(records), records)) as url:
        yield url


@pytest.mark.parametrize("game", game_names())
def test_board_play_button_and_scores_are_seen_at_once(page: Page, game: str, home: str) -> None:
    match = finish_random_match(game)
    for url in (f"/matches/{match.pk}/", "/matches/show/", home):
        page.set_viewport_size(PHONE)
        page.goto(url)
        expect_in_first_screen(page)
        part(page, "last").click()
        expect(part(page, "seats").locator(".viewer-rank").first).not_to_be_empty()
        expect_in_first_screen(page)
        page.set_viewport_size(DESK)
        frame_drawn(page)
        expect_in_first_screen(page)


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_a_tall_board_and_a_fault_are_seen_at_once(page: Page, size: ViewportSize) -> None:
    """The long sentence of a fault appears during the match, and must not push the board away."""
    page.set_viewport_size(size)
    records = make_records("Alpha", "Beta", options={"agents": 2}, seed=TALL_SEED, fault_turn=3, message="why " * 50)
    match = finish_match(make_match(make_version("Alpha"), make_version("Beta")), records)
    for path in ("", "embed/"):
        page.goto(f"/matches/{match.pk}/{path}#t=2")
        expect_in_first_screen(page)
        part(page, "forward").click()
        expect(part(page, "seats").locator(".viewer-fault").last).to_contain_text("Out since turn 3.")
        frame_drawn(page)
        expect_in_first_screen(page)


def frame_drawn(page: Page) -> None:
    """Wait for the next frame, in which the board makes room."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


@pytest.mark.parametrize("game", game_names())
def test_a_match_plays_by_itself(page: Page, game: str, home: str) -> None:
    page.clock.install()
    match = finish_random_match(game)
    for url in (f"/matches/{match.pk}/", home):
        page.goto(url)
        expect(part(page, "play")).to_have_accessible_name("Pause")
        page.clock.run_for(3_000)
        assert shown(page) >= 3, "0.7 seconds a turn, beside the time that the page took"


@pytest.mark.parametrize("game", game_names())
def test_a_match_waits_for_a_reader_who_wants_reduced_motion(page: Page, game: str, home: str) -> None:
    page.emulate_media(reduced_motion="reduce")
    page.clock.install()
    match = finish_random_match(game)
    for url in (f"/matches/{match.pk}/", home):
        page.goto(url)
        expect(part(page, "play")).to_have_accessible_name("Play")
        page.clock.run_for(3_000)
        assert shown(page) == 0


def test_a_link_to_a_turn_shows_that_turn(page: Page) -> None:
    page.clock.install()
    match = finish_match(make_match(make_version("Alpha"), make_version("Beta")))
    page.goto(f"/matches/{match.pk}/#t=5")
    expect(part(page, "play")).to_have_accessible_name("Play")
    page.clock.run_for(3_000)
    assert shown(page) == 5


def shown(page: Page) -> int:
    """Return the turn that is shown."""
    return int(part(page, "seek").input_value())
