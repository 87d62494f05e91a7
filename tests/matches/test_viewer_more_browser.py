"""The viewer's other parts in a real Chromium: the owner's turn log, pictures, embedding."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, FrameLocator, Page, expect
from pytest_django.live_server_helper import LiveServer

from matches.models import Match, Result
from tests.matches.makers import finish_match, make_match, make_records, make_version, store_replay
from tests.matches.viewing import LAST, enter, expect_turn, part, run_module
from tests.serving import serving
from wire.turnlog import LoggedTurn, pack

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def match(finished: Match) -> Match:
    """A match with a log of its last turns."""
    turns = [(seat, turn) for seat in (0, 1) for turn in range(5, LAST + 1)]
    log = pack(LoggedTurn(s, t, f"asked {s} {t}", f"answered {t}", f"<b>debug {s} {t}</b>", 1.0, 2.0) for s, t in turns)
    Result.objects.filter(match=finished).update(log_digest=store_replay(log))
    return finished


def test_the_turn_of_a_fault_is_shown_on_a_phone_where_the_board_is_far_above(
    page: Page, live_server: LiveServer, watch: Callable[..., Page]
) -> None:
    faulty = finish_match(
        make_match(make_version("Alpha"), make_version("Beta")), make_records("Alpha", "Beta", fault_turn=3)
    )
    enter(page, faulty.seats.all()[1].version.bot.owner, live_server)
    page.set_viewport_size({"width": 360, "height": 700})
    watch(faulty)
    for _ in range(2):
        page.locator(".evidence a").first.click()
        expect_turn(page, 3)
        expect(part(page, "board")).to_be_in_viewport()


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


def test_all_that_is_marked_by_colour_is_seen_in_colours_of_the_reader(watch: Callable[..., Page]) -> None:
    match = finish_match(make_match(make_version("Alpha"), make_version("Beta")), make_records("A", "B", fault_turn=9))
    page = watch(match, "#t=9")
    page.emulate_media(forced_colors="active")
    line = "span => getComputedStyle(span).borderBottomColor"
    chosen, other = (page.locator(".viewer-series span").nth(n).evaluate(line) for n in (0, 1))
    assert chosen != other
    assert part(page, "seek").evaluate("seek => getComputedStyle(seek).forcedColorAdjust") == "none"
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


def test_owners_read_their_log_in_step_with_the_board(
    page: Page, live_server: LiveServer, watch: Callable[..., Page], match: Match
) -> None:
    enter(page, match.seats.all()[0].version.bot.owner, live_server)
    watch(match, "#t=7")
    part(page, "own").locator("summary").click()
    texts = part(page, "own").locator("pre")
    expect(texts).to_have_text(["<b>debug 0 7</b>", "asked 0 7", "answered 7"])
    page.keyboard.press("ArrowRight")
    expect(texts).to_have_text(["<b>debug 0 8</b>", "asked 0 8", "answered 8"])
    page.evaluate("location.hash = '#t=2'")
    expect(part(page, "own")).to_contain_text("Nothing of your bots is kept of this turn.")


def test_a_sheet_of_pictures_of_the_whole_match_is_saved(watch: Callable[..., Page], match: Match) -> None:
    page = watch(match)
    with page.expect_download() as download:
        page.get_by_role("button", name="Picture").click()
    assert download.value.suggested_filename == f"match-{match.pk}.png"
    data = Path(download.value.path()).read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", data[16:24])
    assert 1_200 < width < 1_600
    assert height > 1_000
    chosen = run_module(page, "picture.js", "[[30, 4], [2, 9], [0, 9]].map(([last, n]) => m.chooseTurns(last, n))")
    assert chosen == [[0, 10, 20, 30], [0, 1, 2], [0]]


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
