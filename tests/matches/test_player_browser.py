"""The viewer's clock in a real Chromium, under a simulated time: how fast turns are shown."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.matches.makers import finish_match, make_match, make_version
from tests.matches.viewing import part, run_module

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def follow_to_the_end(page: Page, *, turns: int) -> None:
    """Let ``window.player`` follow a match of which all turns come at once."""
    follow = "window.player = new m.Player(0, {matches: false}), player.live = true, player.follow()"
    run_module(page, "player.js", f"{follow}, player.grow({turns}), player.end()")


def test_a_match_is_played_at_the_same_pace_from_its_first_turn_to_its_last(page: Page) -> None:
    """A turn that is shown must not start a second loop of frames, or a match would play ever faster."""
    match = finish_match(make_match(make_version("Alpha"), make_version("Beta")))
    page.clock.install()
    page.goto(f"/matches/{match.pk}/#t=0")
    expect(page.locator("[data-viewer=root][data-state=ready]")).to_be_visible()
    part(page, "play").click()
    page.clock.run_for(14_000)
    shown = part(page, "turn").inner_text().split()
    assert shown[0] == "Turn"
    assert 17 <= int(shown[1]) <= 20, "0.7 seconds a turn, and what is lost to whole frames"


@pytest.mark.parametrize(("frames_apart", "runs_ms"), [(0, 15_000), (1_000, 30_000)], ids=["", "busy"])
def test_who_follows_a_live_match_is_at_its_end_soon_after_it(page: Page, frames_apart: int, runs_ms: int) -> None:
    """A short match is played faster than it is shown. With one frame a second all of the time must count."""
    page.clock.install()
    page.goto("/matches/")
    if frames_apart:
        draw = f"(draw) => setTimeout(() => draw(performance.now()), {frames_apart})"
        page.evaluate(f"() => {{ window.requestAnimationFrame = {draw}; }}")
    follow_to_the_end(page, turns=200)
    page.clock.run_for(runs_ms)
    assert page.evaluate("[player.turn, player.playing, player.following]") == [200, False, False]
