"""The page of the workshop in a real browser; what workers report is written by hand."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import User
from core.message import Message
from tests.browsing import expect_accessible_in_both_schemes, expect_fits, sign_in
from tests.ladder.makers import make_user
from tests.matches.makers import make_version
from tests.waiting import wait_until
from tests.workshop.makers import report_of
from wire.jobs import FaultReport, SeatReport
from workshop.models import Draft, Try
from workshop.services.tries import TRIES

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PAGE = "/workshop/games/kakomimasu/"


@pytest.fixture
def refused(browser: Browser, live_server: LiveServer) -> Iterator[Page]:
    """A page whose console may name requests that the site has refused."""
    context = browser.new_context(base_url=live_server.url)
    yield context.new_page()
    context.close()


def part(page: Page, name: str) -> Locator:
    return page.locator(f"[data-workshop={name}]")


def write(page: Page, text: str) -> None:
    """Type a text at the beginning of the file that is shown."""
    page.get_by_role("textbox", name="Program text of").click()
    page.keyboard.press("Control+Home")
    page.keyboard.insert_text(text)


def text_of(page: Page) -> str:
    return page.get_by_role("textbox", name="Program text of").inner_text()


def answer(page: Page, title: str, name: str, button: str) -> None:
    """Fill in the dialog, and press its button."""
    dialog = page.get_by_role("dialog", name=title)
    dialog.locator("input").fill(name)
    dialog.get_by_role("button", name=button).click()
    expect(dialog).to_be_hidden()


def begun(page: Page) -> Try:
    """Press the button, and return the try that has begun."""
    page.get_by_role("button", name="Try it").click()
    expect(part(page, "status")).to_have_text("In the queue. Your try is the next one.")
    return Try.objects.get(state=Try.State.WAITING)


def test_files_are_edited_and_kept_for_the_account(page: Page) -> None:
    owner = make_user()
    sign_in(page)
    page.goto(PAGE)
    expect(page.get_by_role("heading", name="How to write a bot for Kakomimasu")).to_be_visible()
    expect(page.get_by_role("button", name="kakomimasu.py")).to_be_visible()
    write(page, "# mine\n")
    page.get_by_role("button", name="Add a file").click()
    answer(page, "Add a file", "notes/plan.py", "OK")
    page.keyboard.press("Tab")
    page.keyboard.insert_text("x = 1")
    page.get_by_role("button", name="Rename").click()
    answer(page, "Rename notes/plan.py", "plan.py", "OK")
    page.get_by_role("button", name="kakomimasu.py").click()
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("dialog", name="Delete kakomimasu.py?").get_by_role("button", name="Delete").click()
    expect(part(page, "saved")).to_have_text("Draft saved.")
    wait_until(lambda: set(Draft.objects.get(owner=owner).files) == {"main.py", "plan.py"}, lambda: "")
    page.reload()
    expect(page.get_by_role("textbox", name="Program text of main.py")).to_contain_text("# mine")
    page.get_by_role("button", name="plan.py").click()
    assert text_of(page) == "    x = 1"
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    expect(page.get_by_role("textbox", name="Program text of")).not_to_be_focused()
    expect_accessible_in_both_schemes(page)
    expect_fits(page, 360)
    page.get_by_role("button", name="Starter kit").click()
    page.get_by_role("button", name="Begin again").click()
    expect(page.get_by_role("button", name="kakomimasu.py")).to_be_visible()


@pytest.mark.test_all
def test_what_a_guest_writes_is_the_draft_of_the_account_he_then_has(page: Page) -> None:
    page.goto(PAGE)
    write(page, "# a guest's\n")
    expect(part(page, "saved")).to_have_text("Draft saved in this browser.")
    expect(page.get_by_role("link", name="Sign in to try it")).to_be_visible()
    owner = make_user()
    sign_in(page)
    page.goto(PAGE)
    expect(part(page, "saved")).to_have_text("Draft saved.")
    assert Draft.objects.get(owner=owner).files["main.py"].startswith("# a guest's\n")
    assert page.evaluate("localStorage.length") == 0


@pytest.mark.test_all
def test_what_is_written_while_the_draft_is_sent_is_saved_as_well(page: Page) -> None:
    owner = make_user()
    sign_in(page)
    page.goto(PAGE)
    held: list[Route] = []
    page.route("**/draft/", lambda route: held.append(route))
    with page.expect_request("**/draft/"):
        write(page, "# one\n")
    with page.expect_request("**/draft/"):
        write(page, "# two\n")
        with page.expect_response("**/draft/"):
            held.pop(0).continue_()
    assert "# two" in text_of(page)
    with page.expect_response("**/draft/"):
        held.pop(0).continue_()
    assert "# two" in Draft.objects.get(owner=owner).files["main.py"]


@pytest.mark.test_all
def test_a_draft_that_is_refused_says_why_and_is_not_left_unasked(refused: Page) -> None:
    make_user()
    sign_in(refused)
    refused.goto(PAGE)
    refused.route("**/draft/", lambda route: route.fulfill(status=400, json={"error": "Too many files."}))
    write(refused, "# mine\n")
    refused.keyboard.press("Control+s")
    expect(part(refused, "saved")).to_have_text("Too many files.")
    refused.on("dialog", lambda dialog: dialog.dismiss())
    with refused.expect_event("dialog", lambda dialog: dialog.type == "beforeunload"):
        refused.get_by_role("main").get_by_role("link", name="Leaderboard").click(no_wait_after=True)
    assert "# mine" in text_of(refused)


@pytest.mark.test_all
def test_a_try_is_taken_up_again_after_a_reload(refused: Page) -> None:
    make_user()
    sign_in(refused)
    refused.emulate_media(reduced_motion="reduce")  # so that it does not play by itself
    refused.goto(PAGE)
    tried = begun(refused)
    refused.reload()
    expect(part(refused, "status")).to_have_text("In the queue. Your try is the next one.")
    expect(part(refused, "try")).to_have_attribute("aria-disabled", "true")
    TRIES.record(report=report_of(tried))
    expect(refused.get_by_role("button", name="Play on from turn")).to_be_visible()
    refused.locator("[data-viewer=seek]").fill("7")
    refused.wait_for_url("**#t=7")
    refused.reload()
    expect(part(refused, "status")).to_have_text("Played, 30 turns. Your program: place 1 of 2.")
    expect(refused.get_by_role("button", name="Play on from turn 7")).to_be_visible()
    Try.objects.all().delete()
    with refused.expect_response(f"**/workshop/tries/{tried.pk}/"):
        refused.reload()
    expect(refused.get_by_role("heading", name="How to write a bot for Kakomimasu")).to_be_visible()
    begun(refused)


def test_a_try_is_followed_to_its_result_and_played_on(page: Page) -> None:
    make_user()
    sign_in(page)
    rival = make_version("Rival")
    page.goto(PAGE)
    tried = begun(page)
    assert (tried.opponent_id, tried.seat) == (rival.pk, 0)
    stderr = 'File "main.py", line 2\nValueError: oops\n'
    fault = FaultReport("crashed", Message("bot-exited", {"code": 1}), 3, stderr=stderr)
    TRIES.record(report=report_of(tried, seats=[SeatReport(2, 0.0, 1.0, 1.0, fault), SeatReport(1, 1.0, 1.0, 1.0)]))
    expect(part(page, "status")).to_have_text("Played, 30 turns. Your program: place 2 of 2.")
    expect(part(page, "why")).to_contain_text("Your program is out since turn 3.")
    expect(page.locator("[data-viewer=turn]")).to_have_text("Turn 3 of 30")
    page.locator("[data-viewer=back]").click()
    page.locator("[data-viewer=back]").click()
    expect(page.locator("[data-viewer=own]")).to_contain_text("of 0")
    page.get_by_role("button", name="main.py, line 2: ValueError: oops").click()
    expect(page.locator(".cm-activeLineGutter").first).to_have_text("2")
    expect(page.locator(".cm-lint-marker-error")).to_be_visible()
    expect_accessible_in_both_schemes(page)
    expect_fits(page, 360)
    page.get_by_role("button", name="Rename").click()
    answer(page, "Rename main.py", "bot.py", "OK")
    page.get_by_role("button", name="main.py, line 2: ValueError: oops").click()
    expect(part(page, "files").get_by_role("button")).to_have_text(["bot.py", "kakomimasu.py"])

    page.locator("[data-viewer=seek]").fill("4")
    page.get_by_role("button", name="Play on from turn 4").click()
    expect(part(page, "status")).to_have_text("In the queue. Your try is the next one.")
    again = Try.objects.latest("pk")
    assert len(again.played) == 3
    TRIES.record(report=report_of(again))
    expect(page.get_by_role("button", name="Play on from turn")).to_be_visible()
    page.get_by_role("textbox", name="Program text of").click()
    page.keyboard.press("Control+Enter")
    expect(part(page, "status")).to_have_text("In the queue. Your try is the next one.")
    rejected = report_of(Try.objects.latest("pk"), failed_step="compile", verdict="compile_error", log="no such thing")
    TRIES.record(report=rejected)
    expect(part(page, "status")).to_have_text("Your program could not be built.")
    expect(page.get_by_text("no such thing")).to_be_visible()
    expect_accessible_in_both_schemes(page)


@pytest.mark.test_all
def test_a_program_is_submitted_and_opened_again(page: Page, alice: User) -> None:
    sign_in(page)
    page.goto(PAGE)
    write(page, "# first\n")
    page.get_by_role("button", name="Submit…").click()
    expect_accessible_in_both_schemes(page)
    answer(page, "Submit as a bot", "Moat", "Submit")
    expect(page.get_by_role("heading", name="Version 1")).to_be_visible()
    version = alice.bots.get().versions.get()
    page.goto(f"{PAGE}?version={version.pk}")
    expect(page.get_by_text("This is version 1 of Moat.")).to_be_visible()
    assert text_of(page).startswith("# first\n")
    write(page, "# second\n")
    page.get_by_role("button", name="Make it my draft").click()
    expect(page.get_by_text("This is version 1 of Moat.")).to_be_hidden()
    expect(page.get_by_role("textbox", name="Program text of main.py")).to_contain_text("# second")
    expect_accessible_in_both_schemes(page)


def test_neither_a_second_tab_nor_a_new_sign_in_loses_what_is_written(refused: Page) -> None:
    owner = make_user()
    sign_in(refused)
    refused.goto(PAGE)
    write(refused, "# one\n")
    expect(part(refused, "saved")).to_have_text("Draft saved.")
    other = refused.context.new_page()
    other.goto(PAGE)
    write(other, "# two\n")
    expect(part(other, "saved")).to_have_text("Draft saved.")
    write(refused, "# three\n")
    expect(part(refused, "saved")).to_contain_text("The draft was changed in another tab")
    assert Draft.objects.get(owner=owner).files["main.py"].startswith("# two\n# one\n")
    expect(refused.get_by_role("link", name="See the newer draft")).to_be_visible()
    expect_accessible_in_both_schemes(refused)

    refused.context.clear_cookies(name="sessionid")
    refused.get_by_role("button", name="Overwrite it with mine").click()
    expect(part(refused, "saved")).to_contain_text("You are not signed in any more.")
    sign_in(other)  # the token against forged requests is another one now
    write(refused, "# four\n")
    refused.keyboard.press("Control+s")
    expect(part(refused, "saved")).to_have_text("Draft saved.")
    assert Draft.objects.get(owner=owner).files["main.py"].startswith("# four\n# three\n# one\n")
    other.close()
