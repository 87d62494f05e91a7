"""Times: as people type them, as pages contain them, and as browsers show them in the reader's zone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.template import Context, Template
from django.utils import timezone
from django.utils.translation import override
from playwright.sync_api import Browser, expect
from pytest_django.live_server_helper import LiveServer

from common.errors import InputError
from common.times import ago, clocked, countdown, dated, moment, moment_read, timed
from contests.services.contests import contest_deadline_set
from tests.ladder.makers import make_bot, make_version

NINE = datetime(2026, 12, 1, 9, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    "word", ["2026-12-01T09:00", "2026-12-01 09:00:00", " 2026-12-01T09:00Z ", "2026-12-01T18:00+09:00"]
)
def test_a_time_without_a_zone_is_read_as_utc(word: str) -> None:
    assert moment_read(word) == NINE
    assert moment_read(word).tzinfo == UTC


@pytest.mark.parametrize(
    "word", ["", "tomorrow", "2026-12-01", "2026-02-30T09:00", "0001-01-01T00:00+14:00", "9" * 400]
)
def test_text_that_is_no_time_is_refused(word: str) -> None:
    with pytest.raises(InputError, match="is no time: write it like"):
        moment_read(word)


def test_a_date_alone_is_read_as_its_beginning_where_allowed() -> None:
    assert moment_read("2026-12-01", day_alone=True) == datetime(2026, 12, 1, tzinfo=UTC)
    assert moment_read("2026-12-01T09:00", day_alone=True) == NINE


def test_a_time_is_written_with_its_zone() -> None:
    assert moment(NINE) == "2026-12-01 09:00 UTC"
    assert timed(NINE) == '<time datetime="2026-12-01T09:00:00+00:00" data-moment="">2026-12-01 09:00 UTC</time>'
    with override("ja"):
        assert moment(NINE) != "2026-12-01 09:00 UTC"
    assert moment(None) == timed(None) == ""


def test_dates_and_times_of_day_are_marked_as_such() -> None:
    assert dated(NINE) == '<time datetime="2026-12-01T09:00:00+00:00" data-moment="day">2026-12-01</time>'
    assert clocked(NINE) == '<time datetime="2026-12-01T09:00:00+00:00" data-moment="clock">09:00:00 UTC</time>'
    assert dated(None) == clocked(None) == ""


def test_one_tag_shows_times_in_all_ways() -> None:
    page = Template("{% load time_tags %}{% when at %}|{% when at 'day' %}|{% when at 'clock' %}|{% when at 'ago' %}")
    assert page.render(Context({"at": NINE})) == "|".join([timed(NINE), dated(NINE), clocked(NINE), ago(NINE)])
    assert page.render(Context({"at": None})) == "|||"
    assert ago(NINE).startswith('<time datetime="2026-12-01T09:00:00+00:00" title="2026-12-01 09:00 UTC">')


@pytest.mark.parametrize(
    ("language", "left", "said"),
    [
        ("en", timedelta(days=2, hours=3, minutes=5), "in 2\xa0days, 3\xa0hours"),
        ("ja", timedelta(days=2, hours=3, minutes=5), "あと2日, 3時間"),
        ("ru", timedelta(days=21, minutes=5), "осталось: 3\xa0недели"),
        ("en", timedelta(0), "the time is over"),
    ],
)
def test_without_scripts_a_countdown_says_the_time_left_when_the_page_was_made(
    language: str, left: timedelta, said: str
) -> None:
    with override(language):
        assert f">{said}</time>" in countdown(timezone.now() + left)
    assert countdown(None) == ""


COUNTED = """
<time role="timer" datetime="2026-12-01T09:00:00+00:00" data-countdown="in {time}" data-over="over">by the site</time>
"""


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("language", "now", "shown"),
    [
        ("en", "2026-11-29T06:00:00Z", "in 2 days, 3 hours"),
        ("en", "2026-11-29T09:00:00Z", "in 2 days"),
        ("en", "2026-12-01T07:58:59Z", "in 1 hour, 1 minute"),
        ("en", "2026-12-01T08:38:59Z", "in 21 minutes, 1 second"),
        ("en", "2026-12-01T09:00:00Z", "over"),
        ("ja", "2026-11-29T06:00:00Z", "in 2 日 3 時間"),
        ("ru", "2026-11-08T07:00:00Z", "in 23 дня 2 часа"),
        ("ru", "2026-12-01T08:38:55Z", "in 21 минута 5 секунд"),
    ],
)
def test_browsers_count_down_in_the_readers_language(
    browser: Browser, live_server: LiveServer, language: str, now: str, shown: str
) -> None:
    with browser.new_context(base_url=live_server.url, locale=language) as context:
        page = context.new_page()
        page.clock.set_fixed_time(now)
        page.goto("/")
        page.evaluate("html => document.querySelector('main').insertAdjacentHTML('beforeend', html)", COUNTED)
        page.evaluate("document.dispatchEvent(new Event('htmx:afterSwap'))")
        expect(page.get_by_role("timer")).to_have_text(shown)


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_a_countdown_runs_to_its_end_without_being_announced(browser: Browser, live_server: LiveServer) -> None:
    with browser.new_context(base_url=live_server.url, locale="en") as context:
        page = context.new_page()
        page.clock.install(time="2026-12-01T06:00:00Z")
        contest_deadline_set(contest="kakomimasu", until=NINE, actor=None)
        page.goto("/games/kakomimasu/")
        left = page.get_by_role("timer")
        page.clock.pause_at("2026-12-01T06:59:30Z")
        expect(left).to_have_text("in 2 hours")
        assert left.get_attribute("aria-live") is None  # a role of "timer" says that it is off
        page.clock.run_for("01:01:00")
        expect(left).to_have_text("in 59 minutes, 30 seconds")
        page.clock.run_for("59:29")
        expect(left).to_have_text("in 1 second")
        page.clock.run_for("00:01")
        expect(left).to_have_text("the time is over")


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("language", "here", "site"),
    [
        ("en", "2026-12-01 18:00 GMT+9", "2026-12-01 09:00 UTC"),
        ("ja", "2026/12/01 18:00 JST", "2026/12/01 9:00 UTC"),
        ("ru", "01.12.2026, 18:00 GMT+9", "01.12.2026 09:00 UTC"),
    ],
)
def test_browsers_show_times_in_the_zone_of_their_reader(
    browser: Browser, live_server: LiveServer, language: str, here: str, site: str
) -> None:
    contest_deadline_set(contest="kakomimasu", until=NINE, actor=None)
    with browser.new_context(base_url=live_server.url, timezone_id="Asia/Tokyo", locale=language) as context:
        page = context.new_page()
        page.goto("/games/kakomimasu/")
        time = page.locator("time[data-moment='']")
        expect(time).to_have_text(here)
        expect(time).to_have_attribute("title", site)


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("zone", "since", "day", "moment"),
    [
        ("Asia/Kathmandu", "2026-12-31T18:14:00Z", "2026-12-31", "2026-12-31 23:59 GMT+5:45"),
        ("Asia/Kathmandu", "2026-12-31T18:15:00Z", "2027-01-01", "2027-01-01 00:00 GMT+5:45"),
        # An hour, or half of one, that comes twice.
        ("America/New_York", "2026-11-01T05:30:00Z", "2026-11-01", "2026-11-01 01:30 GMT−4"),
        ("America/New_York", "2026-11-01T06:30:00Z", "2026-11-01", "2026-11-01 01:30 GMT−5"),
        ("America/New_York", "2028-03-01T04:59:59Z", "2028-02-29", "2028-02-29 23:59 GMT−5"),
    ],
)
def test_browsers_show_the_date_in_the_zone_of_their_reader(
    browser: Browser, live_server: LiveServer, zone: str, since: str, day: str, moment: str
) -> None:
    bot = make_version(make_bot(league_since=datetime.fromisoformat(since))).bot
    with browser.new_context(base_url=live_server.url, timezone_id=zone, locale="en") as context:
        page = context.new_page()
        page.goto(f"/bots/{bot.pk}/")
        time = page.locator("time[data-moment=day]")
        expect(time).to_have_text(day)
        expect(time).to_have_attribute("title", moment)
