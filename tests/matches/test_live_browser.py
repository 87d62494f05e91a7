"""Matches watched in a real Chromium while a real worker plays them, over a real broker and the real web server."""

from __future__ import annotations

import re
import signal
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
import psutil
import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect
from pytest_django import Settings
from redis import Redis

from core.tars import ArchiveEntry, tar_of
from deploy.broker import Broker
from jobs.files.storage import ARTIFACTS, file_store
from matches import live
from matches.live import live_events
from matches.models import Match
from matches.services.match_jobs import MATCHES
from matches.views import live as live_views
from tests.managing import site_sends_to
from tests.matches.makers import finish_match, make_match, make_records, make_version
from tests.matches.viewing import LAST, part
from tests.processes import words_of
from tests.workers.conftest import GOOD_BOT, rules_version
from tests.workers.processes import PlayingWorker, playing_worker
from wire.jobs import AGAIN_MAX
from wire.live import LINES_FIELD, live_key

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("bubblewrap"),
]

TURNS = 200
PACED_BOT = """
import signal, time
pauses = [0.2]
signal.signal(signal.SIGUSR1, lambda *_: pauses.clear())
""" + GOOD_BOT.replace("    print(", "    time.sleep(sum(pauses))\n    print(")
"""Takes a fifth of a second a turn without using the CPU, so that a match of two outlasts the slowest browser; a signal
lets it end as soon as its test has seen enough."""


@pytest.fixture
def match(broker_url: str, site_url: str, settings: Settings) -> Iterator[Match]:
    """A match that has been handed out, in an attempt that counts even if its bots wait for a core."""
    settings.REDIS_URL = broker_url
    bundle = tar_of([ArchiveEntry("main.py", PACED_BOT.encode())])
    digest = file_store(store=ARTIFACTS, chunks=[bundle], max_bytes=len(bundle)).digest
    program = {"artifact_digest": digest, "language": "python", "entry": "main.py"}
    versions = [make_version(name, **program) for name in ("Alpha", "Beta")]
    match = make_match(*versions, options={"board": "A-1", "turns": TURNS}, attempt=AGAIN_MAX)
    Match.objects.filter(pk=match.pk).update(rules_version=rules_version())
    with site_sends_to(broker_url):
        MATCHES.requeue(match)
        yield match


@pytest.fixture
def worker(match: Match, broker: Broker, broker_url: str, tmp_path: Path) -> Iterator[PlayingWorker]:
    """A worker that has played some turns of the match."""
    with playing_worker(broker.player_url, tmp_path) as worker:
        with Redis.from_url(broker_url, socket_timeout=90) as client:
            match.refresh_from_db()
            assert client.xread({live_key(match.lease_token, host=""): "0"}, block=60_000)
        yield worker


def begun(match: Match) -> Match:
    """Record that a match is being played."""
    now = timezone.now()
    ends_at = now + timedelta(minutes=1)
    Match.objects.filter(pk=match.pk).update(state=Match.State.RUNNING, started_at=now, lease_ends_at=ends_at)
    return match


@pytest.fixture
def running(match: Match, worker: PlayingWorker) -> Match:
    """A match that is being played. The test handles its worker's reports in place of the site."""
    return begun(match)


@pytest.fixture
def hurry(running: Match, worker: PlayingWorker) -> Callable[[], None]:
    """Lets the bots of the match play on without pauses."""

    def signal_bots() -> None:
        below = psutil.Process(worker.process.pid).children(recursive=True)
        bots = [
            process for process in below if re.fullmatch(r"(/\S+/)?python\S* .*main\.py", " ".join(words_of(process)))
        ]
        assert len(bots) == 2
        for bot in bots:
            bot.send_signal(signal.SIGUSR1)

    return signal_bots


@pytest.fixture
def opened(browser: Browser, site_url: str) -> Iterator[Callable[[Match], Page]]:
    """Opens the page of a match on the real web server; its test fails when the browser complains of anything."""
    context = browser.new_context(base_url=site_url, viewport={"width": 1280, "height": 1000})
    errors: list[str] = []

    def open_page(match: Match) -> Page:
        page = context.new_page()
        page.on("console", lambda said: errors.append(said.text) if said.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(f"/matches/{match.pk}/")
        return page

    yield open_page
    context.close()
    assert errors == []


def shown(page: Page) -> list[int]:
    """The turn that is shown, and the last that is there."""
    expect(part(page, "turn")).to_have_text(re.compile(r"Turn \d+ of \d+"))
    return [int(number) for number in re.findall(r"\d+", part(page, "turn").inner_text())]


def expect_end(page: Page) -> None:
    part(page, "speed").select_option("8")  # or it would take eight seconds to catch up
    expect(part(page, "live")).to_contain_text("The match has ended.")
    expect(part(page, "turn")).to_have_text(f"Turn {TURNS} of {TURNS}")
    expect(part(page, "seats").locator(".viewer-rank").first).to_have_text(re.compile("Place"))


def test_a_match_is_watched_as_it_happens(
    running: Match, hurry: Callable[[], None], opened: Callable[[Match], Page]
) -> None:
    page = opened(running)
    expect(part(page, "live")).to_contain_text("This match is being played now.")
    expect(part(page, "follow")).to_have_attribute("aria-pressed", "true")
    _, before = shown(page)
    assert before < TURNS
    page.wait_for_function(f"() => document.querySelector('[data-viewer=seek]').value > {before}")

    late = opened(running)
    assert shown(late)[1] >= before
    hurry()
    expect_end(page)
    expect_end(late)

    running.attempts.all().delete()
    finish_match(running)
    page.get_by_role("link", name="Show its result").click()
    expect(page.get_by_role("heading", name="Result")).to_be_visible()


@pytest.mark.test_all
def test_one_may_seek_back_while_it_grows_and_follow_again(
    running: Match, hurry: Callable[[], None], opened: Callable[[Match], Page]
) -> None:
    page = opened(running)
    shown(page)
    part(page, "first").click()
    part(page, "play").click()
    expect(part(page, "follow")).to_have_attribute("aria-pressed", "false")
    turn, last = shown(page)
    page.wait_for_function(f"() => document.querySelector('[data-viewer=seek]').max > {last}")
    assert turn <= shown(page)[0] < shown(page)[1]

    read_turn = "document.querySelector('[data-viewer=turn]').textContent"
    at_once = part(page, "follow").evaluate(f"button => (button.click(), {read_turn})")  # before the next turn comes
    turn, last = re.findall(r"\d+", at_once)
    assert turn == last
    hurry()
    expect_end(page)


@pytest.mark.test_all
def test_a_broken_connection_goes_on_where_it_was(
    running: Match, hurry: Callable[[], None], opened: Callable[[Match], Page], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "LISTENED_SECONDS_MAX", 1.5)  # some turns come in that time, on a busy machine too
    ids: list[str] = []
    gone_on_twice = threading.Event()

    def noted(*, after: str, **listener: Any) -> AsyncIterator[bytes]:
        ids.append(after)
        if len(set(ids)) > 2:
            gone_on_twice.set()
        return live_events(after=after, **listener)

    monkeypatch.setattr(live_views, "live_events", noted)
    page = opened(running)
    assert gone_on_twice.wait(60), ids
    hurry()
    expect_end(page)
    assert ids[0] == ""
    assert ids[1:] == sorted(set(ids[1:]))


@pytest.mark.test_all
def test_without_a_broker_the_page_asks_for_the_state(
    match: Match, opened: Callable[[Match], Page], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "LISTENERS_MAX", 0)
    page = opened(begun(match))
    expect(part(page, "live")).to_be_hidden()
    expect(part(page, "state")).to_be_visible()
    match.attempts.all().delete()
    finish_match(match)
    expect(page.locator("[data-viewer=root][data-state=ready]")).to_be_visible()


@pytest.mark.test_all
def test_after_a_restart_behind_a_proxy_the_page_goes_live_again(
    running: Match, hurry: Callable[[], None], browser: Browser, site_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For a browser's EventSource the proxy's 502 ends the stream for good."""
    monkeypatch.setattr(live, "LISTENED_SECONDS_MAX", 1.5)
    context = browser.new_context(base_url=site_url)  # whose console may complain of the 502
    page = context.new_page()
    page.goto(f"/matches/{running.pk}/")
    shown(page)
    away = re.compile(r"/(live|state)\b")
    page.route(away, lambda route: route.fulfill(status=502))
    expect(part(page, "state")).to_contain_text("This match is being played.")
    expect(part(page, "live")).to_be_hidden()
    turn = shown(page)[1]
    monkeypatch.undo()
    page.unroute(away)
    page.wait_for_function(f"() => document.querySelector('[data-viewer=seek]').max > {turn}")
    expect(part(page, "state")).to_have_count(0)
    expect(part(page, "live")).to_contain_text("This match is being played now.")
    hurry()
    expect_end(page)
    context.close()


@pytest.mark.test_all
def test_a_frame_shows_the_replay_of_a_match_that_ended_while_the_site_was_away(
    running: Match, browser: Browser, site_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The embedded page has no box that polls the state, and must not stay at the last turn that it has received."""
    monkeypatch.setattr(live, "LISTENED_SECONDS_MAX", 1.5)
    context = browser.new_context(base_url=site_url)  # whose console may complain of the 502
    page = context.new_page()
    blog = f'<iframe src="/matches/{running.pk}/embed/" width="600" height="600"></iframe>'
    page.route("**/blog", lambda route: route.fulfill(content_type="text/html", body=blog))
    page.goto("/blog")
    frame = page.frame_locator("iframe")
    expect(frame.locator("[data-viewer=live]")).to_be_visible()
    page.route("**/live*", lambda route: route.fulfill(status=502))
    expect(frame.locator("[data-viewer=live]")).to_be_hidden()
    running.attempts.all().delete()
    finish_match(running)
    Match.objects.filter(pk=running.pk).update(lease_token="")
    page.unroute("**/live*")
    expect(frame.locator("[data-viewer=turn]")).to_have_text(re.compile(f"of {LAST}$"))
    expect(frame.locator("[data-viewer=live]")).to_have_count(0)
    context.close()


@pytest.mark.test_all
def test_a_connection_that_died_in_silence_is_made_anew(
    running: Match, hurry: Callable[[], None], browser: Browser, site_url: str
) -> None:
    """As after a laptop's sleep: the stream neither ends nor has any more events."""
    context = browser.new_context(base_url=site_url)
    page = context.new_page()
    page.clock.install()
    page.route("**/live", lambda route: None)
    with page.expect_request("**/live"):
        page.goto(f"/matches/{running.pk}/")
    page.unroute("**/live")
    page.clock.fast_forward(3_600_000)
    page.clock.run_for(2_000)
    shown(page)
    hurry()
    expect_end(page)
    context.close()


@pytest.mark.test_all
def test_a_match_whose_first_turn_takes_long_is_shown_without_the_box(
    match: Match, opened: Callable[[Match], Page], broker_url: str
) -> None:
    page = opened(begun(match))
    for _ in range(2):  # when the second answer comes, the first has taken the place of the page's own box
        page.wait_for_event("response", lambda answer: "/state/" in answer.url)
    match.refresh_from_db()
    lines = b"\n".join(map(msgspec.json.encode, make_records("Alpha", "Beta")[:10]))
    with Redis.from_url(broker_url) as client:
        client.xadd(live_key(match.lease_token, host=""), {LINES_FIELD: lines})
    shown(page)
    expect(part(page, "state")).to_have_count(0)
