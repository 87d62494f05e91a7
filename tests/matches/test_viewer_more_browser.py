"""The viewer's other parts in a real Chromium: the owner's turn log, pictures, embedding."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from django.test import Client
from playwright.sync_api import Browser, FrameLocator, Page, expect
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from matches.models import Match, Result, Seat
from tests.ladder.makers import make_user
from tests.matches.makers import finish_match, make_match, make_records, make_version, store_replay
from tests.matches.viewing import LAST, box, expect_turn, part
from tests.serving import serving
from wire.turnlog import LoggedTurn, pack

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def seat_turn(seat: int, turn: int) -> LoggedTurn:
    return LoggedTurn(seat, turn, f"asked {seat} {turn}", f"answered {turn}", f"<b>debug {seat} {turn}</b>", 1.0, 2.0)


@pytest.fixture
def match() -> Match:
    """A match with a log of its last turns."""
    match = finish_match(make_match(make_version("Alpha"), make_version("Beta")))
    log = pack(seat_turn(seat, turn) for seat in (0, 1) for turn in range(5, LAST + 1))
    Result.objects.filter(match=match).update(log_digest=store_replay(log))
    return match


@pytest.fixture
def as_owner_of(page: Page, client: Client, live_server: object, settings: Settings) -> Callable[[Seat], Page]:
    def sign_in(seat: Seat) -> Page:
        client.force_login(seat.version.bot.owner)
        cookie = client.cookies[settings.SESSION_COOKIE_NAME].value
        page.context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": cookie, "url": str(live_server)}])
        return page

    return sign_in


@pytest.fixture
def as_owner(as_owner_of: Callable[[Seat], Page], match: Match) -> Page:
    return as_owner_of(match.seats.all()[0])


def test_the_turn_of_a_fault_is_shown_on_a_phone_where_the_board_is_far_above(
    as_owner_of: Callable[[Seat], Page], watch: Callable[..., Page]
) -> None:
    faulty = finish_match(
        make_match(make_version("Alpha"), make_version("Beta")), make_records("Alpha", "Beta", fault_turn=3)
    )
    page = as_owner_of(faulty.seats.all()[1])
    page.set_viewport_size({"width": 360, "height": 700})
    watch(faulty)
    for _ in range(2):
        page.locator(".evidence a").first.click()
        expect_turn(page, 3)
        expect(part(page, "board")).to_be_in_viewport()


def test_a_cell_that_is_tapped_stays_told_as_the_turns_go_on(
    browser: Browser, live_server: LiveServer, match: Match
) -> None:
    with browser.new_context(has_touch=True, base_url=live_server.url) as context:
        page = context.new_page()
        page.goto(f"/matches/{match.pk}/#t=1")
        expect_turn(page, 1)
        size = box(part(page, "board"))
        place = (0.8 + 1.5) / 10.8  # behind the ruler, the middle of the second of ten cells
        part(page, "board").tap(position={"x": size["width"] * place, "y": size["height"] * place})
        expect(part(page, "cell")).to_have_text("(1, 1): 5, wall of A, agent A1")
        part(page, "forward").tap()
        expect(part(page, "cell")).to_have_text("(1, 1): 5, wall of A")


def test_without_scripts_only_links_are_left_of_the_viewer(
    browser: Browser, live_server: LiveServer, match: Match
) -> None:
    with browser.new_context(base_url=live_server.url, java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(f"/matches/{match.pk}/")
        expect(page.locator(".viewer > noscript > p")).to_be_visible()
        expect(page.get_by_role("link", name="Download")).to_be_visible()
        for name in ("seek", "play", "speed", "answers"):
            expect(part(page, name)).to_be_hidden()


def test_the_seek_bar_and_the_chosen_graph_are_seen_in_colours_of_the_reader(
    watch: Callable[..., Page], match: Match
) -> None:
    page = watch(match)
    page.emulate_media(forced_colors="active")
    line = "span => getComputedStyle(span).borderBottomColor"
    chosen, other = (page.locator(".viewer-series span").nth(n).evaluate(line) for n in (0, 1))
    assert chosen != other
    assert part(page, "seek").evaluate("seek => getComputedStyle(seek).forcedColorAdjust") == "none"


def test_what_happens_now_and_that_one_follows_is_seen_in_colours_of_the_reader(watch: Callable[..., Page]) -> None:
    match = finish_match(make_match(make_version("Alpha"), make_version("Beta")), make_records("A", "B", fault_turn=9))
    page = watch(match, "#t=9")
    page.emulate_media(forced_colors="active")
    line = "event => getComputedStyle(event).outlineStyle"
    assert page.locator(".viewer-event.is-now").first.evaluate(line) == "solid"
    assert page.locator(".viewer-event:not(.is-now)").first.evaluate(line) == "none"
    button = '<button type="button" data-viewer="follow" aria-pressed="{}">Follow live</button>'
    page.locator(".viewer-controls").evaluate(
        "(controls, html) => controls.insertAdjacentHTML('beforeend', html)",
        button.format("true") + button.format("false"),
    )
    pressed, other = part(page, "follow").evaluate_all("all => all.map((b) => getComputedStyle(b).borderTopWidth)")
    assert pressed != other


@pytest.mark.usefixtures("as_owner")
def test_owners_read_their_log_in_step_with_the_board(watch: Callable[..., Page], match: Match) -> None:
    page = watch(match, "#t=7")
    part(page, "own").locator("summary").click()
    texts = part(page, "own").locator("pre")
    expect(texts).to_have_text(["<b>debug 0 7</b>", "asked 0 7", "answered 7"])
    page.keyboard.press("ArrowRight")
    expect(texts).to_have_text(["<b>debug 0 8</b>", "asked 0 8", "answered 8"])
    page.evaluate("location.hash = '#t=2'")
    expect(part(page, "own")).to_contain_text("Nothing of your bots is kept of this turn.")


def test_nobody_else_sees_that_there_is_a_log(watch: Callable[..., Page], match: Match, client: Client) -> None:
    page = watch(match)
    expect(part(page, "own")).to_have_count(0)
    client.force_login(make_user("mallory"))
    assert client.get(f"/matches/{match.pk}/log.json").status_code == 404


def test_an_owner_gets_the_turns_of_his_own_bots_alone(match: Match, client: Client) -> None:
    client.force_login(match.seats.all()[1].version.bot.owner)
    answer = client.get(f"/matches/{match.pk}/log.json")
    assert {turn["seat"] for turn in answer.json()} == {1}
    assert "no-store" in answer.headers["Cache-Control"]


def test_a_sheet_of_pictures_is_saved(watch: Callable[..., Page], match: Match, tmp_path: Path) -> None:
    page = watch(match)
    with page.expect_download() as download:
        page.get_by_role("button", name="Picture").click()
    assert download.value.suggested_filename == f"match-{match.pk}.png"
    data = Path(download.value.path()).read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", data[16:24])
    assert 1_200 < width < 1_600
    assert height > 1_000


def test_the_pictures_are_of_the_whole_match(watch: Callable[..., Page], match: Match) -> None:
    page = watch(match)
    choose = "([last, count]) => import('/static/matches/viewer/picture.js').then((m) => m.chooseTurns(last, count))"
    assert page.evaluate(choose, [30, 4]) == [0, 10, 20, 30]
    assert page.evaluate(choose, [2, 9]) == [0, 1, 2]
    assert page.evaluate(choose, [0, 9]) == [0]


def test_the_line_for_other_pages_shows_the_match_there(
    watch: Callable[..., Page], match: Match, live_server: object, tmp_path: Path
) -> None:
    page = watch(match)
    page.get_by_text("Show this match on a page of yours").click()
    line = page.locator("pre", has_text="<iframe").inner_text()
    assert f'src="{live_server}/matches/{match.pk}/embed/"' in line
    title = re.search(r'title="([^"]+)"', line)
    assert title
    assert page.title().startswith(title[1]), "a screen reader announces what the iframe has"

    (tmp_path / "index.html").write_text(line)
    (tmp_path / "favicon.ico").touch()
    handler = partial(SimpleHTTPRequestHandler, directory=str(tmp_path))
    with serving(ThreadingHTTPServer(("127.0.0.1", 0), handler)) as url:  # another port is another origin
        page.goto(url)
        expect_end(page.frame_locator("iframe"))


def expect_end(frame: FrameLocator) -> None:
    expect(frame.locator("[data-viewer=root][data-state=ready]")).to_be_visible()
    frame.locator("[data-viewer=last]").click()
    expect(frame.locator("[data-viewer=turn]")).to_have_text(f"Turn {LAST} of {LAST}")
    expect(frame.locator(".viewer-rank")).to_have_text([re.compile("Place 1"), re.compile("Place 2")])
