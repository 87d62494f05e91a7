"""The journey of a spectator: from the first page to a match, its winner, the board, and a link for friends."""

from __future__ import annotations

import re
import time

import pytest
from playwright.sync_api import Page, expect

from tests.browsing import expect_fits_and_is_accessible
from tests.deploy.people import choose_password
from tests.ladder.makers import make_rating, make_standings
from tests.matches.makers import finish_match, make_match, make_records, make_version

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SECONDS_MAX = 60
"""Of the whole journey, without the checks of the first page; a click takes a second on a busy machine."""


def test_a_spectator_watches_follows_and_shares(page: Page) -> None:
    versions = [make_version("Moat"), make_version("Keep")]
    for version, rating in zip(versions, (1_600, 1_500), strict=True):
        make_rating(version, rating)
    make_standings()
    match = finish_match(make_match(*versions), make_records("Moat", "Keep"))

    page.goto("/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Write a bot. Watch it climb.")
    ways = page.get_by_role("main").get_by_role("listitem").filter(has=page.get_by_role("heading"))
    expect(ways.get_by_role("link")).to_have_text(["Play a bot", "Write one"])
    frame = page.frame_locator("iframe")
    expect(frame.locator("[data-viewer=turn]")).to_have_text(re.compile(r"Turn [1-9]"))
    expect_fits_and_is_accessible(page)
    page.set_viewport_size({"width": 1440, "height": 900})

    began = time.monotonic()
    page.goto("/")
    page.get_by_role("link", name=f"Kakomimasu, match {match.pk}").click()
    turn = page.locator("[data-viewer=turn]")
    expect(turn).to_have_text(re.compile(r"Turn [1-9]"))
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy link").click()
    expect(page.locator("[data-viewer=copied]")).to_have_text("Link copied.")
    link: str = page.evaluate("navigator.clipboard.readText()")

    winner = match.seats.get(rank=1).version.bot
    page.locator("table.match-bots").get_by_role("link", name=winner.name, exact=True).click()
    page.get_by_role("link", name="Follow", exact=True).click()
    page.get_by_role("main").get_by_role("link", name="sign up").click()
    page.get_by_label("Username").fill("mari")
    choose_password(page)
    page.get_by_role("button", name="Sign Up").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(winner.name)
    page.get_by_role("button", name="Follow", exact=True).click()
    expect(page.get_by_role("button", name="You follow")).to_be_visible()

    page.get_by_role("main").get_by_role("link", name="Kakomimasu", exact=True).first.click()
    expect(page.locator("table.board").get_by_role("rowheader", name=winner.name)).to_be_visible()
    page.get_by_role("columnheader").get_by_role("link", name="Rating").click()
    expect(page.get_by_role("dialog")).to_contain_text("How strong a bot is")

    # A friend opens the link, whose preview has a picture.
    page.context.clear_cookies()
    page.goto(link)
    expect(turn).to_have_text(re.compile(rf"Turn {link.rpartition('=')[2]} of"))
    print("seconds:", time.monotonic() - began)  # noqa: T201 - how long it took
    assert time.monotonic() - began < SECONDS_MAX
    picture = page.locator("meta[property='og:image']").get_attribute("content")
    assert picture is not None
    answer = page.request.get(picture)
    assert (answer.status, answer.headers["content-type"]) == (200, "image/png")
