"""What a reader sees without scrolling, and which replays start by themselves, in a real Chromium for every game."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from banzuke.viewer import viewer_server
from core.replay import encode
from tests.matches.makers import (
    finish_match,
    finish_random_match,
    make_match,
    make_records,
    make_version,
    random_records,
)
from tests.matches.viewing import expect_in_first_screen, part
from tests.own import OWN
from tests.serving import serving

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.test_all]

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


@pytest.mark.parametrize("game", OWN)
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


def test_a_tall_board_and_a_fault_are_seen_at_once(page: Page) -> None:
    """The long sentence of a fault appears during the match, and must not push the board away."""
    records = make_records("Alpha", "Beta", options={"agents": 2}, seed=TALL_SEED, fault_turn=3, message="why " * 50)
    match = finish_match(make_match(make_version("Alpha"), make_version("Beta")), records)
    for size, path in product((DESK, PHONE), ("", "embed/")):
        page.set_viewport_size(size)
        page.goto("about:blank")
        page.goto(f"/matches/{match.pk}/{path}#t=2")
        expect_in_first_screen(page)
        part(page, "forward").click()
        expect(part(page, "seats").locator(".viewer-fault").last).to_contain_text("Out since turn 3.")
        frame_drawn(page)
        expect_in_first_screen(page)


def frame_drawn(page: Page) -> None:
    """Wait for the next frame, in which the board makes room."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


@pytest.mark.parametrize("game", ["kakomimasu"])
def test_a_match_plays_by_itself_unless_its_reader_wants_a_turn_or_reduced_motion(
    page: Page, game: str, home: str
) -> None:
    page.clock.install()
    match = finish_random_match(game)
    for url in (f"/matches/{match.pk}/", home):
        for hash_, motion in (("", "no-preference"), ("#t=2", "no-preference"), ("", "reduce")):
            page.emulate_media(reduced_motion=motion)  # type: ignore[arg-type]  # one of its literals
            page.goto("about:blank")
            page.goto(f"{url}{hash_}")
            plays = (hash_, motion) == ("", "no-preference")
            expect(part(page, "play")).to_have_accessible_name("Pause" if plays else "Play")
            page.clock.run_for(3_000)
            turn = int(part(page, "seek").input_value())
            # 0.7 seconds a turn, beside the time that the page took.
            assert turn >= 3 if plays else turn == (2 if hash_ else 0)
