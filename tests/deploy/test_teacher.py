"""A teacher's contest by the pages of a real arena: from the form to the signed final board."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from deploy.broker import free_port
from matches.selectors.final_boards import VERIFY
from tests.deploy.arena import OPEN, Arena, arena_running
from tests.deploy.people import Visitors, choose_password, reload_until, sign_up

pytestmark = [pytest.mark.arena, pytest.mark.browser, pytest.mark.timeout(1_200), pytest.mark.test_all]

TEN_MINUTES = 600
PUPILS = 30
TEAMS = ("Ants", "Bees", "Crows")
BOT = """
# The bot of {team}: it puts its agents and then stands still.
def lines(count):
    return [input() for _ in range(count)]

seat, players, width, height, agents, turns = map(int, input().split())
lines(height)
for turn in range(turns):
    lines(1 + players + height + players * agents + 1)
    print("\\n".join("NONE" for _ in range(agents)), flush=True)
"""


@pytest.fixture
def arena(tmp_path: Path, bubblewrap: str) -> Iterator[Arena]:
    with arena_running(tmp_path / "data", free_port(), CONTESTS_BY_USERS="true") as running:
        running.wait_for(OPEN, seconds=300)
        yield running


def pupil(visitors: Visitors, name: str, password: str) -> Page:
    """Sign a pupil in with the password from the sheet, and choose another one."""
    page = visitors.page()
    page.get_by_role("link", name="Sign in").click()
    page.get_by_label("Username").fill(name)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign In").click()
    page.locator("[name=oldpassword]").fill(password)
    choose_password(page)
    page.get_by_role("button", name="Change Password").click()
    expect(page.get_by_role("link", name=name).first).to_be_visible()
    page.goto("/")
    page.get_by_role("link", name="Class 3b").first.click()
    return page


def make_contest(page: Page) -> None:
    """Sign up, make a private contest of short matches, and open it."""
    sign_up(page, "teacher")
    page.get_by_role("link", name="Contests").click()
    page.get_by_role("link", name="New contest").click()
    page.get_by_role("link", name="Kakomimasu").click()
    page.get_by_label("Name in urls").fill("class-3b")
    page.get_by_label("Title", exact=True).fill("Class 3b")
    page.get_by_label("Description").fill("The contest of **our class**.")
    page.get_by_label("Who sees it").select_option("private")
    page.get_by_label("House bots that can play its rules take part").uncheck()
    page.get_by_role("button", name="Make the draft").click()
    page.get_by_role("button", name="Open", exact=True).click()
    expect(page.locator(".state").first).to_have_text("open")


def invite(page: Page, folder: Path) -> dict[str, str]:
    """Make the accounts of a list of pupils; return their passwords by their names."""
    roster = folder / "class.csv"
    roster.write_text("".join(f"pupil{number},\n" for number in range(1, PUPILS + 1)))
    page.goto("/contests/class-3b/")
    page.get_by_role("link", name="People").click()
    page.get_by_label("List of participants").set_input_files(roster)
    page.get_by_role("button", name="Make the accounts").click()
    rows = page.locator("table.slips tbody tr")
    expect(rows).to_have_count(PUPILS)
    return dict(zip(rows.locator("th").all_inner_texts(), rows.locator("code").all_inner_texts(), strict=True))


def take_part(visitors: Visitors, team: str, names: list[str], passwords: dict[str, str]) -> None:
    """Make a team of two pupils, one of whom uploads a bot."""
    captain, mate = (pupil(visitors, name, passwords[name]) for name in names)
    captain.get_by_role("link", name="My team").click()
    captain.get_by_label("Name of the team").fill(team)
    captain.get_by_role("button", name="Make the team").click()
    captain.get_by_role("button", name="Make a link").click()
    link = captain.get_by_label("Link to join the team").input_value()
    mate.goto(link)
    mate.get_by_role("button", name="Join").click()
    expect(mate.get_by_role("heading", name=team)).to_be_visible()
    mate.get_by_role("link", name="Upload a bot").last.click()
    mate.get_by_label("Name of the bot").fill(f"{team} bot")
    mate.get_by_text("Or paste the program as text").click()
    mate.get_by_label("Program", exact=True).fill(BOT.format(team=team))
    mate.get_by_role("button", name="Upload").click()
    expect(mate.get_by_role("link", name="See how it does")).to_be_visible(timeout=240_000)


def test_a_teacher_runs_a_contest_by_the_pages_alone(arena: Arena, browser: Browser, tmp_path: Path) -> None:
    visitors = Visitors(browser, arena.url.replace("localhost", "127.0.0.1"))  # as links name it
    times, begun = {}, time.monotonic()

    def done(step: str) -> None:
        times[step] = round(time.monotonic() - begun)

    teacher = visitors.page()
    make_contest(teacher)
    done("contest opened")
    passwords = invite(teacher, tmp_path)
    done("30 invited")
    for number, team in enumerate(TEAMS):
        take_part(visitors, team, [f"pupil{2 * number + 1}", f"pupil{2 * number + 2}"], passwords)
        done(f"{team} play")

    stranger = visitors.page()
    answer = stranger.goto("/contests/class-3b/")
    assert answer
    assert answer.status == 404

    teacher.goto("/contests/class-3b/")
    for team in TEAMS:
        reload_until(teacher, f"{team} bot")
    teacher.get_by_role("link", name="Desk").click()
    teacher.get_by_text("Freeze…").click()
    teacher.get_by_role("button", name="Freeze", exact=True).click()
    done("frozen")
    teacher.goto("/contests/class-3b/")
    reload_until(teacher, "The final board is signed")
    done("signed")
    with teacher.expect_download() as download:
        teacher.get_by_role("link", name="final.json").click()
    file = tmp_path / "final.json"
    download.value.save_as(file)
    with teacher.expect_download() as download:
        teacher.get_by_role("link", name="CSV").click()
    done("exported")
    print("seconds by the pages alone:", times)  # noqa: T201 - how long each step took
    assert times["exported"] < TEN_MINUTES

    exec(compile(VERIFY.replace('"final.json"', repr(str(file))), "VERIFY", "exec"), {})  # noqa: S102 - our own lines
    board = json.loads(file.read_bytes())["board"]
    assert {row["team"] for row in board} == set(TEAMS)
    assert sorted(download.value.path().read_text().count(f"{team} bot") for team in TEAMS) == [1, 1, 1]
