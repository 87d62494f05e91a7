"""A tournament of 16 house and example bots by the pages of a real arena: from the form to the ceremony."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from deploy.broker import free_port
from tests.deploy.arena import OPEN, Arena, arena_running
from tests.deploy.people import Visitors, reload_until, sign_up

pytestmark = [pytest.mark.arena, pytest.mark.browser, pytest.mark.timeout(1_200), pytest.mark.test_all]

CONTEST, TOURNAMENT = "/contests/spring/", "/contests/spring/tournaments/final/"
SHORT = {"board": "A-1", "agents": "2", "turns": "4"}
"""Options of the contest whose matches last a second."""
HOUSE = ("breaker", "greedy", "random", "ring", "rings")
OWNERS = {"ann": 6, "ben": 5}
"""How many bots each of them has."""
BOT = """
def lines(count):
    return [input() for _ in range(count)]

seat, players, width, height, agents, turns = map(int, input().split())
points = [list(map(int, line.split())) for line in lines(height)]
cells = sorted((-points[y][x], x, y) for y in range(height) for x in range(width))
best = cells[3 * {number}:][:agents]
for turn in range(turns):
    lines(1 + players + height + players * agents + 1)
    orders = [f"PUT {{x}} {{y}}" for _, x, y in best] if turn == 0 else ["NONE"] * agents
    print("\\n".join(orders), flush=True)
"""
"""An example bot: it puts its agents on the best cells but for some, and stays there."""


@pytest.fixture
def arena(tmp_path: Path, bubblewrap: str) -> Iterator[Arena]:
    with arena_running(tmp_path / "data", free_port(), CONTESTS_BY_USERS="true") as running:
        running.wait_for(OPEN, seconds=300)
        yield running


def make_contest(page: Page) -> None:
    """Make a public contest of short matches, with house bots, and open it."""
    page.goto("/contests/")
    page.get_by_role("link", name="New contest").click()
    page.get_by_role("link", name="Kakomimasu").click()
    page.get_by_label("Name in urls").fill("spring")
    page.get_by_label("Title", exact=True).fill("Spring cup")
    for name, value in SHORT.items():
        page.locator(f"[name=option_{name}]").fill(value)
    page.get_by_label("Who sees it").select_option("public")
    page.get_by_role("button", name="Make the draft").click()
    page.get_by_role("button", name="Open", exact=True).click()
    expect(page.locator(".state").first).to_have_text("open")


def upload(page: Page, name: str, number: int) -> None:
    """Upload a bot of the contest by pasting its program; it is built afterwards."""
    page.goto("/upload/?contest=spring")
    page.get_by_label("Name of the bot").fill(name)
    page.get_by_text("Or paste the program as text").click()
    page.get_by_label("Program", exact=True).fill(BOT.format(number=number))
    page.get_by_role("button", name="Upload").click()
    page.wait_for_url(re.compile(r"/versions/\d+/"))


def make_tournament(page: Page) -> None:
    """Make a knockout with a match for the third place whose results are told at the end, and announce it."""
    page.goto(CONTEST + "tournaments/")
    page.get_by_role("link", name="New tournament").click()
    page.get_by_label("Title", exact=True).fill("The final")
    page.get_by_label("Name in urls").fill("final")
    page.get_by_label("Owners enter their bots").check()
    page.get_by_label("Single elimination").check()
    page.get_by_label("A match for the third place").first.check()
    page.get_by_label("At the end").check()
    page.get_by_role("button", name="Make the draft").click()
    act(page, "Announce")


def act(page: Page, name: str) -> None:
    """Press a button of the desk, and confirm it if the desk asks."""
    if page.get_by_text(f"{name}…", exact=True).count():
        page.get_by_text(f"{name}…", exact=True).click()
    page.get_by_role("button", name=name, exact=True).click()
    expect(page.locator(".messages, [role=status]").first).to_be_visible()


def enter_own(page: Page, bots: int) -> None:
    """Enter all bots of an owner, one after another."""
    page.goto(TOURNAMENT)
    for _ in range(bots):
        page.get_by_role("button", name="Enter it").click()
    expect(page.get_by_role("button", name="Take the entry back")).to_have_count(bots)


def step_to_the_podium(page: Page) -> list[str]:
    """Go through the show by its key; return the texts of its steps."""
    page.goto(TOURNAMENT + "show/")
    shown = [page.locator(".hall-step").inner_text()]
    for number in range(1, 500):
        if page.locator("[data-show=next][aria-disabled=true]").count():
            return shown
        before = page.url
        page.keyboard.press("Space")
        expect(page).not_to_have_url(before)  # each step has its fragment
        shown.append(page.locator(".hall-step").inner_text())
        assert len(shown) == number + 1
    raise AssertionError(shown[-1])


def test_a_tournament_by_the_pages_alone(arena: Arena, browser: Browser) -> None:
    visitors = Visitors(browser, arena.url)
    times, begun = {}, time.monotonic()

    def done(step: str) -> None:
        times[step] = round(time.monotonic() - begun)

    organiser = visitors.page()
    sign_up(organiser, "organiser")
    make_contest(organiser)
    owners = {name: visitors.page() for name in OWNERS}
    for owner, (name, bots) in enumerate(OWNERS.items()):
        sign_up(owners[name], name)
        for bot in range(bots):
            upload(owners[name], f"{name} {bot + 1}", 2 * bot + owner)
    done("bots uploaded")
    make_tournament(organiser)
    for name in (*HOUSE, *(f"{name} {bots}" for name, bots in OWNERS.items())):
        organiser.goto(CONTEST)
        reload_until(organiser, name)
    done("bots play")
    for name, bots in OWNERS.items():
        enter_own(owners[name], bots)
    organiser.goto(TOURNAMENT + "desk/")
    organiser.get_by_label("Enter bots by their names").fill("\n".join(HOUSE))
    organiser.get_by_role("button", name="Enter them").click()
    expect(organiser.get_by_role("region", name="If it were drawn now").locator("tbody tr")).to_have_count(8)
    act(organiser, "Draw the first round")
    act(organiser, "Start")
    done("started")

    # While it is played, its organiser sees results, and nobody else does.
    reload_until(organiser, "Release all results", seconds=400)
    done("played")
    winner = organiser.get_by_role("region", name="Standings").locator("tbody tr th").first.inner_text()
    stranger = visitors.page()
    for part in ("", "rounds/1/1/", "bracket/", "standings/"):
        stranger.goto(TOURNAMENT + part)
        expect(stranger.get_by_role("heading", level=1)).to_be_visible()
        assert stranger.locator(".podium, .is-winner, .is-loser").count() == 0, part
    answer = stranger.goto(TOURNAMENT + "show/")
    assert answer
    assert answer.status == 404

    shown = step_to_the_podium(organiser)
    assert winner in shown[-1]
    assert shown[1].count("not decided") == 8  # the first round, before its first match is shown
    done("shown")
    organiser.goto(TOURNAMENT + "desk/")
    act(organiser, "Release all results")
    stranger.goto(TOURNAMENT)
    expect(stranger.locator(".podium .podium-1")).to_contain_text(winner)
    stranger.goto(CONTEST)
    expect(stranger.get_by_text(winner).first).to_be_visible()
    done("released")
    print("seconds by the pages alone:", times)  # noqa: T201 - how long each step took
