"""The show for a hall in a browser, from the opening to the podium by one key."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.browsing import expect_accessible_in_both_schemes
from tests.matches.viewing import enter
from tests.tournaments.makers import make_tournament
from tests.tournaments.test_show import make_organiser, url_of, with_replays
from tournaments.models import Tournament


@pytest.mark.django_db(transaction=True)
def test_an_organiser_presents_a_knockout_and_releases_it(page: Page, live_server: LiveServer) -> None:
    tournament = make_tournament("finished", results="by_round")
    with_replays(tournament)
    enter(page, make_organiser(tournament), live_server)
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(url_of(tournament))
    stage, where = page.locator("[data-show=stage]"), page.locator("[data-show=where]")
    expect(stage.get_by_role("heading", name="Spring final")).to_be_visible()
    page.keyboard.press("?")
    page.get_by_label("Release each round as it is shown").check()
    expect_accessible_in_both_schemes(page)
    page.keyboard.press("Escape")

    page.keyboard.press(" ")
    expect(stage.get_by_role("heading", name="Semi-finals")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(where).to_have_text("Semi-final 1")
    board = page.frame_locator("[data-show=frame]")
    expect(board.locator("[data-viewer=root][data-state=ready]")).to_be_visible()
    expect(board.locator(".viewer-name").first).to_have_text("Gate")
    expect(page.locator("[data-show=turn]")).to_contain_text("of 30")
    page.keyboard.press("p")
    expect(board.locator("[data-viewer=play]")).to_have_attribute("data-playing", "false")

    page.emulate_media(reduced_motion="reduce")  # or accessibility is checked while something fades in
    page.keyboard.press("PageDown")
    expect(stage.get_by_text("Moat goes on.")).to_be_visible()
    final = stage.locator(".bracket-round").last
    expect(final).to_contain_text("Moat")
    expect(final).not_to_contain_text("Keep")
    expect_accessible_in_both_schemes(page)
    page.keyboard.press("ArrowLeft")
    page.locator("[data-show=frame]").wait_for()
    for _ in range(3):  # the result again, the second match, its result
        page.keyboard.press("ArrowRight")
        expect(where).not_to_be_empty()
    expect(stage.get_by_text("Keep goes on.")).to_be_visible()
    expect(page.get_by_text("Released: everybody sees these results now.")).to_be_visible()
    assert tournament.rounds.get(number=1).released_at

    page.keyboard.press("ArrowDown")
    expect(stage.get_by_role("heading", name="Final")).to_be_visible()
    page.reload()
    expect(stage.get_by_role("heading", name="Final")).to_be_visible()
    page.keyboard.press("ArrowRight")
    page.locator("[data-show=frame]").wait_for()
    stage.click()
    expect(stage.get_by_text("Moat wins the tournament.")).to_be_visible()
    podium = stage.locator(".hall-podium")
    for name, shown in (("Tower", 1), ("Keep", 2), ("Moat", 3)):
        page.keyboard.press("ArrowRight")
        expect(podium).to_contain_text(name)
        expect(podium.locator(".hall-names:not(:empty)").filter(has=page.locator("bdi"))).to_have_count(shown)
    expect(page.get_by_text("Released: everybody sees these results now.")).to_be_visible()
    tournament.refresh_from_db()
    assert tournament.state == Tournament.State.RELEASED
    page.set_viewport_size({"width": 390, "height": 800})
    expect_accessible_in_both_schemes(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
