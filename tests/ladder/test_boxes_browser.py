"""Boxes that pages fetch repeatedly, in a real browser: what happens when requests fail."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import User
from core.message import said, stored
from ladder.models import BotVersion
from ladder.services.versions import version_transition
from tests.browsing import sign_in
from tests.ladder.makers import make_bot, make_version

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.test_all]

State = BotVersion.State
AWAY = "<!doctype html><html><body><p>Down for maintenance.</p></body></html>"
FAILURES: dict[str, Callable[[Route], None]] = {
    "502": lambda route: route.fulfill(status=502, body=AWAY),
    "no connection": lambda route: route.abort("internetdisconnected"),
    "a proxy's page": lambda route: route.fulfill(status=200, content_type="text/html", body=AWAY),
    "no answer": lambda route: None,
}
FAILING = 3
NOTED = """
window.asked = [];
window.answered = 0;
const send = XMLHttpRequest.prototype.send;
XMLHttpRequest.prototype.send = function (...all) {
  asked.push(performance.now());
  this.addEventListener("loadend", () => answered++);
  return send.apply(this, all);
};
"""
"""A script that records when a box is fetched."""


@pytest.fixture
def page(browser: Browser, live_server: LiveServer) -> Iterator[Page]:
    """A page with a clock that tests move. Its console may report failed requests, but scripts must not throw."""
    context = browser.new_context(base_url=live_server.url)
    context.add_init_script(NOTED)
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.clock.install()
    yield page
    context.close()
    assert errors == []


def go_on(page: Page, seconds: int = 1) -> None:
    """Run the timers of the page for this long, second by second, and wait for the answer to each request."""
    for _ in range(seconds):
        page.clock.run_for(1_000)
        page.wait_for_function("() => asked.length === answered")


def without_patience(route: Route) -> None:
    """Serve the page with a timeout of 0.3 s instead of 30 s for the requests of its boxes."""
    answer = route.fetch()
    assert '"timeout": 30000' in answer.text()
    route.fulfill(response=answer, body=answer.text().replace('"timeout": 30000', '"timeout": 300'))


@pytest.mark.parametrize("failure", FAILURES)
def test_a_box_that_is_loaded_once_comes_when_answers_come_again(page: Page, failure: str) -> None:
    asked: list[str] = []

    def answer(route: Route) -> None:
        asked.append(route.request.url)
        if len(asked) <= FAILING:
            FAILURES[failure](route)
        else:
            route.continue_()

    version = make_version()
    page.route("**/first-games/", answer)
    page.route(f"**/bots/{version.bot_id}/", without_patience)
    page.goto(f"/bots/{version.bot_id}/")
    go_on(page, 10)
    assert len(asked) > 1
    expect(page.get_by_text("Down for maintenance")).to_have_count(0)
    go_on(page, 20)
    expect(page.get_by_text("of the first 20 games played")).to_be_visible()


def test_a_box_is_asked_for_more_and_more_seldom_and_soon_after_a_sleep(page: Page, alice: User) -> None:
    sign_in(page)
    version = make_version(make_bot("Moat", alice), state=State.BUILDING, step="compile")
    page.goto(f"/versions/{version.pk}/")
    expect(page.get_by_text("of the first 20 games played")).to_be_visible()
    page.evaluate("asked.length = answered = 0")
    page.route("**/progress/**", FAILURES["502"])
    page.route("**/first-games/", FAILURES["502"])
    go_on(page, 240)
    asked = page.evaluate("asked")
    assert len([ms for ms in asked if ms < asked[0] + 60_000]) > 8, asked
    assert len([ms for ms in asked if ms > asked[-1] - 60_000]) <= 6, "two boxes, about every half a minute"
    page.unroute("**/progress/**")
    version_transition(version=version, to=State.REJECTED, verdict="time", reason=stored(said("It was slow.")))
    page.clock.fast_forward(3_600_000)  # like a laptop that slept: due timers fire once
    expect(page.get_by_text("It was slow.")).to_be_visible()


def test_a_user_signed_out_elsewhere_is_sent_to_sign_in_and_back(page: Page, alice: User) -> None:
    sign_in(page)
    version = make_version(make_bot("Moat", alice), state=State.BUILDING, step="compile")
    page.goto(f"/versions/{version.pk}/")
    page.context.clear_cookies(name="sessionid")
    page.clock.run_for(5_000)
    page.wait_for_url(f"**/accounts/login/?next=/versions/{version.pk}/")
