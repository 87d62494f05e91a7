"""A visitor's way through the pages of a tournament in a real Chromium, by keyboard, on a desktop and a phone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browsing import expect_fits_and_is_accessible
from tests.contests.makers import make_contest
from tests.tournaments.played import decide_round, draw_round, make_drawn, make_field, play_rounds, release

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
HERE = "/contests/spring/tournaments/final/"
NAMES = ["rings", "greedy", "番付の達人", "A name of a bot as long as names can be", "smasher"]


def test_a_visitor_follows_a_tournament(page: Page) -> None:
    contest = make_contest(visibility="public")
    stages = [
        {"format": "round_robin", "goes_on": 4},
        {"format": "single_elimination", "best_of": 3, "third_place": True},
    ]
    tournament = make_drawn(make_field(contest.slug, contest.game, NAMES), stages)
    play_rounds(tournament, 6, with_matches=True)
    last = draw_round(tournament)
    assert last is not None
    page.goto(f"/contests/{contest.slug}/")
    page.get_by_role("link", name="Spring final").click()
    expect(page.get_by_role("heading", name=re.compile("Spring final"))).to_be_visible()
    expect_fits_and_is_accessible(page)

    page.get_by_role("link", name="Bracket").focus()
    page.keyboard.press("Enter")
    semi = page.get_by_role("link", name=re.compile(r"^Semi-final 1: .+ [\d.]+, .+ [\d.]+, .+ goes on$"))
    expect(semi).to_be_visible()
    expect_fits_and_is_accessible(page)
    semi.focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"rounds/2/1/#table-1$"))
    expect(page.get_by_role("heading", name="Semi-final 1")).to_be_in_viewport()
    expect_fits_and_is_accessible(page)

    for name in ("Standings", "Cross table"):
        page.get_by_role("link", name=name).click()
        expect(page.get_by_role("heading", name=name, level=1)).to_be_visible()
        expect_fits_and_is_accessible(page)
    page.get_by_role("rowheader").filter(has_text="rings").first.get_by_role("link").click()
    expect(page.get_by_role("heading", name="rings", level=1)).to_be_visible()
    expect_fits_and_is_accessible(page)

    decide_round(tournament, last)
    play_rounds(tournament, 9)
    release(tournament)
    page.goto(HERE)
    expect(page.locator(".podium li")).to_have_count(3)
    expect_fits_and_is_accessible(page)
