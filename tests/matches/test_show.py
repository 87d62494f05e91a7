"""Shows, which play one match after the other on unattended screens."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import pytest
from django.core.files.storage import storages
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Browser, Frame, Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from jobs.files.storage import REPLAYS
from matches.models import Match
from matches.selectors.front import match_to_show
from tests.matches.makers import finish_match, make_match, make_records, make_running, make_version

pytestmark = pytest.mark.django_db
SHOW = "/matches/show/"


def played(*names: str, game: str = "kakomimasu") -> Match:
    return finish_match(make_match(*map(make_version, names), game=game), make_records(*names))


def test_another_match_than_the_last_is_shown_where_there_is_one() -> None:
    assert match_to_show(contest="", after=0) is None
    first = played("a", "b")
    assert match_to_show(contest="", after=first.pk) == first
    second, third = played("c", "d"), played("e", "f")
    assert {match_to_show(contest="", after=first.pk) for _ in range(60)} == {second, third}


def test_what_is_being_played_comes_first_and_no_private_test_ever() -> None:
    ended = played("a", "b")
    running = make_running("c", "d")
    test = make_running("e", "f", kind=Match.Kind.TRIAL)
    assert match_to_show(contest="", after=0) == running
    assert match_to_show(contest="", after=running.pk) == ended
    Match.objects.exclude(pk=test.pk).update(state=Match.State.VOID, lease_token="", lease_ends_at=None)
    assert match_to_show(contest="", after=0) is None


def test_a_show_may_be_of_one_game() -> None:
    puyo, other = played("a", "b", game="puyo"), played("c", "d")
    assert match_to_show(contest="puyo", after=puyo.pk) == puyo
    make_running("e", "f")
    assert match_to_show(contest="puyo", after=0) == puyo
    assert match_to_show(contest="kakomimasu", after=0) != other


def test_the_url_redirects_to_a_match_that_goes_on_to_the_next(client: Client) -> None:
    match = played("a", "b", game="puyo")
    answer = client.get(f"{SHOW}?game=puyo&after=1000000000000000000000")
    assert (answer.status_code, answer["Cache-Control"]) == (
        302,
        "max-age=0, no-cache, no-store, must-revalidate, private",
    )
    embed = reverse("matches:embed", args=[match.pk])
    assert answer["Location"] == f"{embed}?play&show=puyo"
    page = client.get(answer["Location"]).content.decode()
    assert f'"next": "/matches/show/?after={match.pk}\\u0026contest=puyo"' in page
    assert "X-Frame-Options" not in client.get(answer["Location"])
    assert '"next": ""' in client.get(f"{embed}?play").content.decode()
    assert client.get(f"{SHOW}?game=chess").status_code == 404
    assert client.get(f"{SHOW}?game=%00").status_code == 404


def test_before_the_first_match_the_page_waits(client: Client) -> None:
    answer = client.get(SHOW)
    assert '<meta http-equiv="refresh" content="10">' in answer.content.decode()
    assert answer["X-Frame-Options"] == "DENY", "it has all the site's buttons"


def test_a_match_that_came_to_nothing_stops_no_show(client: Client) -> None:
    match = make_match(make_version("a"), make_version("b"), state=Match.State.VOID)
    page = client.get(f"{reverse('matches:embed', args=[match.pk])}?play&show=").content.decode()
    assert f'content="10; url=/matches/show/?after={match.pk}&amp;contest="' in page


# --- In a browser ---------------------------------------------------------------------------------------------------


@pytest.fixture
def hurried(browser: Browser, live_server: LiveServer) -> Iterator[Page]:
    """A page in which pauses and turns take no time, and the site may be away."""
    context = browser.new_context(base_url=live_server.url)
    page = context.new_page()
    page.add_init_script(
        "const wait = setTimeout; window.setTimeout = (act, ms) => wait(act, ms >= 8000 ? 50 : ms);"
        "const frame = requestAnimationFrame; let now = 0;"
        "window.requestAnimationFrame = (act) => frame(() => act((now += 1000) + performance.now()));"
    )
    yield page
    context.close()


@pytest.fixture
def held(hurried: Page) -> Page:
    """A hurried page whose show goes on when ``next_shown`` says so: else a match could be over before it is seen."""
    hurried.add_init_script(
        "const soon = setTimeout; window.setTimeout = (act, ms) => ms >= 8000 ? (window.goOn = act) : soon(act, ms);"
    )
    return hurried


def next_shown(page: Page, frame: Frame) -> Frame:
    """Wait for the end of a frame's match, go on, and return the frame of the next match."""
    path = frame.url.partition("?")[0]
    frame.wait_for_function("() => window.goOn")
    with page.expect_event("framenavigated", lambda each: "/embed/" in each.url and path not in each.url) as event:
        frame.evaluate("void goOn()")
    return cast("Frame", event.value)


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_a_show_goes_from_match_to_match(held: Page) -> None:
    first, second = played("Alpha", "Beta"), played("Gamma", "Delta")
    held.goto("/")
    held.get_by_role("link", name="Watch match after match").click()
    held.wait_for_url("**/embed/**")
    for _ in range(3):
        seen = ["Alpha", "Beta"] if f"/matches/{first.pk}/embed/?play&show=" in held.url else ["Gamma", "Delta"]
        expect(held.locator(".viewer-name")).to_have_text(seen)
        next_shown(held, held.main_frame)
    assert f"/matches/{second.pk if seen == ['Alpha', 'Beta'] else first.pk}/embed/?play&show=" in held.url


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_a_site_that_is_away_for_a_while_ends_no_show(hurried: Page) -> None:
    first = played("Alpha", "Beta")
    hurried.goto(f"/matches/{first.pk}/embed/?play&show=")
    failures = 2

    def fail(route: Route) -> None:
        nonlocal failures
        failures -= 1
        if failures == 1:
            route.abort()
        elif failures == 0:
            route.fulfill(status=503)
        else:
            route.continue_()

    hurried.route("**/matches/show/**", fail)
    played("Gamma", "Delta")
    with hurried.expect_event("console", lambda message: "503" in message.text):
        pass
    expect(hurried.locator(".viewer-name")).to_have_text(["Gamma", "Delta"])


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_a_replay_that_cannot_be_shown_ends_no_show(hurried: Page) -> None:
    lost = played("Alpha", "Beta")
    storages[REPLAYS].delete(lost.result.replay_digest)
    hurried.goto(f"/matches/{lost.pk}/embed/?play&show=")
    expect(hurried.get_by_role("alert")).to_contain_text("no longer stored here")
    played("Gamma", "Delta")
    expect(hurried.locator(".viewer-name")).to_have_text(["Gamma", "Delta"])


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_a_show_that_fills_the_screen_goes_on_there_with_its_sound(held: Page) -> None:
    """Browsers end a full screen when its page is left."""
    for names in (["Alpha", "Beta"], ["Gamma", "Delta"]):
        played(*names)
    held.goto("/matches/show/?contest=kakomimasu#t=0", wait_until="networkidle")  # with #t it waits for the reader
    held.locator("[data-viewer=full]").click()
    expect(held.locator("[data-viewer=full]")).to_have_attribute("aria-pressed", "true")  # browsers take their time
    held.locator("[data-viewer=sound]").click()
    held.locator("[data-viewer=play]").click()
    frame = next_shown(held, held.main_frame)
    inner = held.frame_locator(".viewer-frame")
    for _ in range(2):
        expect(inner.locator("[data-viewer=sound]")).to_have_attribute("aria-pressed", "true")
        assert next_shown(held, frame) == frame
    assert held.evaluate("document.fullscreenElement.dataset.viewer") == "root"
    expect(inner.locator("[data-viewer=full]")).to_have_attribute("aria-pressed", "true")
    inner.locator("[data-viewer=full]").click()
    held.wait_for_function("() => document.fullscreenElement === null")
