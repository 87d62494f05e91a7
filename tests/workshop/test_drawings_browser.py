"""The author of a try sees what the program draws, and not what the opponent does."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browsing import expect_accessible_in_both_schemes, expect_fits, sign_in
from tests.ladder.makers import make_user
from tests.matches.makers import store_replay
from tests.workshop.makers import report_of
from tests.workshop.test_workshop_browser import PAGE, begun, part
from wire.turnlog import LoggedTurn, pack
from workshop.services.tries import TRIES

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_try_shows_what_the_program_draws_alone(page: Page) -> None:
    make_user()
    sign_in(page)
    page.emulate_media(reduced_motion="reduce")  # so that it does not play by itself
    page.goto(PAGE)
    tried = begun(page)
    drawn = ("@cell red 3,4\n@text blue 3,4 here\n@value depth {turn}", "@cell green 0,0\n@value hidden 1")
    log = [
        LoggedTurn(seat, turn, "asked", "NONE", drawn[seat].format(turn=turn), 1.0, 2.0)
        for turn in range(1, 31)
        for seat in (0, 1)
    ]
    TRIES.record(report=report_of(tried, log_digest=store_replay(pack(log))))
    expect(part(page, "status")).to_contain_text("Played, 30 turns.")
    drawings = page.locator("[data-viewer=drawings]")
    expect(drawings.get_by_role("checkbox")).to_have_count(1)
    page.locator("[data-viewer=seek]").fill("7")
    expect(drawings).to_contain_text("depth 7")
    image = "document.querySelector('[data-viewer=board]').toDataURL()"
    shown = page.evaluate(image)
    drawings.get_by_role("checkbox").uncheck()
    assert page.evaluate(image) != shown
    drawings.get_by_role("checkbox").check()
    expect(page.locator(".viewer-series span")).to_have_text(["Score", "CPU ms a turn", "depth"])
    page.get_by_text("depth", exact=True).click()
    expect_accessible_in_both_schemes(page)
    expect_fits(page, 360)
