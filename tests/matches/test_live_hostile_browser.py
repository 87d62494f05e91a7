"""The attack: a worker that was taken over sends lines that freeze or fill the browsers of visitors."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator

import msgspec
import pytest
from playwright.sync_api import Browser, Error, Page, Route, expect
from redis import Redis

from core.game import JsonObject
from matches.models import Match
from tests.matches.makers import finish_match, make_match, make_records, make_running, make_version
from tests.matches.viewing import expect_in_first_screen, part
from wire.live import LINES_FIELD, live_key

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.test_all]

FILLING = 600 << 10


@pytest.fixture
def match(streams: Redis) -> Match:
    return make_running()


@pytest.fixture
def page(browser: Browser, site_url: str) -> Iterator[Page]:
    """A page whose console may have errors, since the lines of the match are wrong."""
    context = browser.new_context(base_url=site_url)
    page = context.new_page()
    page.set_default_timeout(60_000)
    yield page
    context.close()


def add(streams: Redis, match: Match, *records: JsonObject) -> None:
    lines = b"\n".join(map(msgspec.json.encode, records))
    streams.xadd(live_key(match.lease_token, host=""), {LINES_FIELD: lines}, maxlen=1)


def requests_of(page: Page) -> list[str]:
    """The urls from which the browser has received events, in order."""
    listened: list[str] = []
    page.on("request", lambda request: listened.append(request.url) if re.search(r"/live(\?|$)", request.url) else None)
    return listened


@pytest.mark.parametrize("setting", [{"width": 1e9}, {"height": "9" * 9}])
def test_a_board_that_cannot_be_is_not_drawn(streams: Redis, match: Match, page: Page, setting: JsonObject) -> None:
    header, *turns = make_records("Alpha", "Beta")[:5]
    listened = requests_of(page)
    add(streams, match, header | {"setting": header["setting"] | setting}, *turns)
    with page.expect_event("pageerror"):
        page.goto(f"/matches/{match.pk}/")
    # The page lives, asks how far the match is, and listens no more to what it cannot show.
    page.wait_for_event("response", lambda answer: "/state/" in answer.url)
    expect(part(page, "state")).to_be_visible()
    page.wait_for_event("response", lambda answer: "/state/" in answer.url)
    assert len(listened) == 1


def test_a_show_goes_on_from_what_cannot_be_shown(streams: Redis, match: Match, page: Page) -> None:
    """A show has no reader who would reload the page."""
    page.add_init_script("const wait = setTimeout; window.setTimeout = (act, ms) => wait(act, ms === 8000 ? 50 : ms)")
    header, *turns = make_records("Alpha", "Beta")[:5]
    add(streams, match, header | {"setting": header["setting"] | {"width": 1e9}}, *turns)
    other = finish_match(make_match(make_version("Gamma"), make_version("Delta")), make_records("Gamma", "Delta"))
    page.goto(f"/matches/{match.pk}/embed/?play&show=")
    page.wait_for_url(f"**/matches/{other.pk}/embed/**")
    expect(page.locator(".viewer-name")).to_have_text(["Gamma", "Delta"])


def test_board_play_button_and_scores_of_a_live_match_are_seen_at_once(
    streams: Redis, match: Match, page: Page
) -> None:
    add(streams, match, *make_records("Alpha", "Beta")[:5])
    for width, height in ((1440, 900), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        for path in ("", "embed/?play&show="):
            page.goto(f"/matches/{match.pk}/{path}")
            expect(part(page, "turn")).to_have_text("Turn 4 of 4")
            expect(part(page, "live")).to_be_visible()
            expect_in_first_screen(page)


def test_lines_without_end_are_left(streams: Redis, match: Match, page: Page) -> None:
    """The limit is a sixteenth of the real one, to save time."""

    def with_limit(route: Route) -> None:
        answer = route.fetch()
        assert "16 << 20" in answer.text()
        route.fulfill(response=answer, body=answer.text().replace("16 << 20", "1 << 20"))

    page.route("**/live.js", with_limit)
    header, turn, *_ = make_records("Alpha", "Beta")
    event = {"turn": 1, "kind": "lead", "seat": 0, "args": {"points": "x" * FILLING}}
    page.goto(f"/matches/{match.pk}/")
    add(streams, match, header)
    expect(part(page, "live")).to_be_visible()
    listened = requests_of(page)
    errors: list[Error] = []
    page.on("pageerror", lambda error: errors.append(error))
    ends = time.monotonic() + 120
    while not errors and time.monotonic() < ends:
        add(streams, match, turn | {"events": [event]})
        page.wait_for_timeout(50)
    assert errors
    expect(part(page, "live")).to_be_hidden()
    count = len(listened)
    for _ in range(2):
        page.wait_for_event("response", lambda answer: "/state/" in answer.url)
    assert len(listened) == count
