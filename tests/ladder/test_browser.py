"""The site in a real browser: an upload followed without reloading, dropping a file, phones, accessibility.

The ``page`` fixture fails a test when the console shows an error, so every test here is also one of the policy that
forbids inline script and style.
"""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import User
from core.message import said, stored
from ladder.models import Bot, BotVersion, DailyRating, RatingPoint
from ladder.news import BUILT
from ladder.services import examining
from ladder.services.notifications import notification_create
from ladder.services.versions import version_transition
from tests.browsing import expect_accessible, expect_accessible_in_both_schemes, expect_fits_and_is_accessible, sign_in
from tests.ladder.makers import DIGEST, make_bot, make_ranked, make_standings, make_user, make_version

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

State = BotVersion.State
PASSWORD = "a long and winding road"


@pytest.fixture(autouse=True)
def _no_messages(enqueued: list[int]) -> None:
    """No build is sent to the broker."""


@pytest.fixture
def alices(page: Page, alice: User) -> Page:
    """A page on which Alice is logged in."""
    sign_in(page)
    return page


def test_from_sign_up_to_an_active_bot_without_a_reload(page: Page, tmp_path: Path) -> None:
    bot = tmp_path / "main.py"
    bot.write_text("print('NONE')\n")
    page.goto("/")
    page.get_by_role("link", name="Sign up").click()
    page.get_by_label("Username").fill("carol")
    page.get_by_label("Password:", exact=True).fill(PASSWORD)
    page.get_by_label("Password (again)").fill(PASSWORD)
    page.get_by_role("button", name="Sign Up").click()

    page.get_by_role("navigation", name="Main").get_by_role("link", name="Upload a bot").click()
    page.get_by_label("Name of the bot").fill("Moat")
    page.get_by_label("File").set_input_files(bot)
    page.get_by_role("button", name="Upload").click()
    expect(page.get_by_text("Your upload is stored")).to_be_visible()
    page.evaluate("window.sameDocument = true")
    examining.uploads_examine(for_seconds=0)
    expect(page.get_by_text("Your bot is in the queue")).to_be_visible()

    version = BotVersion.objects.get()
    version_transition(version=version, to=State.BUILDING, step="compile")
    expect(page.get_by_text("A worker builds your bot")).to_be_visible()
    version_transition(version=version, to=State.ACTIVE, artifact_digest=DIGEST, step="check")
    expect(page.get_by_text("Your bot is active")).to_be_visible()
    assert page.evaluate("window.sameDocument") is True

    with page.expect_event("load"):
        page.get_by_role("link", name="See how it does").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Moat")


def test_a_rejection_arrives_with_its_advice_and_the_polling_ends(alices: Page, alice: User) -> None:
    version = make_version(make_bot("Moat", alice), state=State.BUILDING, step="check")
    asked: list[str] = []
    alices.on("request", lambda request: asked.append(request.url) if "/progress/" in request.url else None)
    alices.goto(f"/versions/{version.pk}/")
    version_transition(
        version=version, to=State.REJECTED, verdict="time", reason=stored(said("It was slow.")), log="<b>tail</b>"
    )
    expect(alices.get_by_text("It was slow.")).to_be_visible()
    expect(alices.get_by_text("make sure that every answer ends with a line break")).to_be_visible()
    expect(alices.get_by_text("<b>tail</b>")).to_be_visible()
    expect(alices.get_by_role("link", name="Notifications 1 new")).to_be_visible()
    assert alices.locator("[hx-get]").count() == 0
    assert asked


@pytest.mark.test_all
def test_no_step_of_an_upload_is_broken_within_a_word_on_a_phone(alices: Page, alice: User) -> None:
    version = make_version(make_bot("Moat", alice), state=State.REJECTED, step="check")
    alices.set_extra_http_headers({"Accept-Language": "ru"})
    alices.set_viewport_size({"width": 360, "height": 800})
    alices.goto(f"/versions/{version.pk}/")
    titles = alices.locator(".progress-title")
    expect(titles).to_have_text(["Проверка", "Сборка", "Проверочный матч", "В строю"])
    lines = titles.evaluate_all("all => all.map((title) => title.getClientRects().length)")
    assert lines[0] == lines[1] == 1
    assert lines[2] <= 2


@pytest.mark.test_all
def test_a_board_is_whole_on_paper_and_no_rank_is_broken_on_a_tablet(page: Page) -> None:
    make_ranked("A bot with quite a long name for a phone", 1_523)
    make_standings()
    page.set_viewport_size({"width": 718, "height": 1000})  # as wide as A4 within its margins
    page.emulate_media(media="print")
    page.goto("/games/kakomimasu/")
    assert page.locator(".scroll:has(.board)").first.evaluate("scroll => scroll.scrollWidth <= scroll.clientWidth")
    expect(page.get_by_role("search")).to_be_hidden()

    page.emulate_media(media="screen")
    page.goto(f"/bots/{make_ranked('wide', 1_500, standard_error=90).bot_id}/")
    rank = page.locator(".facts").get_by_text("provisional")
    for width in (320, 390, 768):
        page.set_viewport_size({"width": width, "height": 1000})
        assert rank.evaluate("rank => rank.getClientRects().length") == 1, width


@pytest.mark.test_all
def test_the_last_number_of_a_graph_is_whole_where_its_letters_are_large(page: Page) -> None:
    version = make_ranked("Moat", 1_500)
    for games in (1, 1_000):
        RatingPoint.objects.create(version=version, games=games, rating=1_500, standard_error=30, at=timezone.now())
    page.set_viewport_size({"width": 640, "height": 400})
    page.goto(f"/bots/{version.bot_id}/")
    last = page.locator(".graph-text[text-anchor=middle]").last
    last.scroll_into_view_if_needed()
    assert last.evaluate("""text => {
      const { right, top, bottom } = text.getBoundingClientRect();
      return document.elementFromPoint(right - 3, (top + bottom) / 2) === text;
    }""")


@pytest.mark.test_all
def test_the_own_row_and_the_drop_area_are_visible_in_forced_colours(alices: Page, alice: User) -> None:
    own, other = make_ranked("Moat", 1_500), make_ranked("Wall", 1_400)
    Bot.objects.filter(pk=own.bot_id).update(owner=alice)
    Bot.objects.filter(pk=other.bot_id).update(owner=make_user("bob"))
    make_standings()
    alices.emulate_media(forced_colors="active")
    alices.goto("/games/kakomimasu/")
    line = "row => getComputedStyle(row).outlineStyle"
    rows = [alices.get_by_role("row").filter(has_text=version.bot.name) for version in (own, other)]
    assert [row.evaluate(line) for row in rows] == ["solid", "none"]
    alices.goto("/upload/")
    border = "area => getComputedStyle(area).borderTopStyle"
    before = alices.locator("[data-drop]").evaluate(border)
    alices.locator("[data-drop]").dispatch_event("dragover")
    assert alices.locator("[data-drop].is-over").evaluate(border) != before


def test_the_board_leads_to_the_own_row_and_to_any_page(
    alices: Page, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ladder.selectors.boards.BOARD_PAGE_ROWS", 2)
    other = make_user("bob")
    for index in range(14):
        version = make_ranked(f"bot {index}", 1_600 - index)
        Bot.objects.filter(pk=version.bot_id).update(owner=other)
    own = make_ranked("Moat", 1_500)
    for days, rating in ((9, 1_450), (0, 1_490)):
        DailyRating.objects.create(bot=own.bot, day=timezone.now().date() - timedelta(days=days), rating=rating)
    make_standings()
    alices.goto("/games/kakomimasu/")
    expect(alices.get_by_role("region", name="My bot")).to_contain_text("+50")
    expect_fits_and_is_accessible(alices)
    alices.get_by_role("link", name="Show on the board").click()
    expect(alices.get_by_role("row").filter(has_text="Moat")).to_be_in_viewport()
    alices.get_by_role("spinbutton", name="Page").fill("3")
    alices.get_by_role("button", name="Go").click()
    expect(alices.get_by_role("row").filter(has_text="bot 4")).to_be_visible()


def test_a_version_is_withdrawn_with_the_keyboard(alices: Page, alice: User) -> None:
    version = make_version(make_bot("Moat", alice))
    alices.goto(f"/versions/{version.pk}/")
    expect(alices.get_by_role("button", name="Withdraw for good")).to_be_hidden()
    alices.get_by_text("Withdraw this version…").focus()
    alices.keyboard.press("Enter")
    expect(alices.get_by_text("This cannot be undone: this version never plays again")).to_be_visible()
    expect_accessible_in_both_schemes(alices)
    alices.keyboard.press("Tab")
    expect(alices.get_by_role("button", name="Withdraw for good")).to_be_focused()
    alices.keyboard.press("Enter")
    expect(alices.get_by_text("does not play any more")).to_be_visible()


@pytest.mark.test_all
def test_open_and_focused_elements_stay_so_during_a_build(alices: Page, alice: User) -> None:
    version = make_version(make_bot("Moat", alice), state=State.UPLOADED)
    alices.goto(f"/versions/{version.pk}/")
    alices.get_by_text("Withdraw this version…").press("Enter")
    alices.keyboard.press("Tab")
    version = version_transition(version=version, to=State.BUILDING, step="compile")
    expect(alices.get_by_text("A worker builds your bot")).to_be_visible()
    expect(alices.get_by_role("button", name="Withdraw for good")).to_be_focused()
    version_transition(version=version, to=State.REJECTED, verdict="time", reason=stored(said("It was slow.")))
    expect(alices.get_by_text("It was slow.")).to_be_visible()
    expect(alices.get_by_text("Withdraw this version…")).to_have_count(0)


@pytest.mark.test_all
def test_a_version_is_withdrawn_without_javascript(browser: Browser, live_server: LiveServer, alice: User) -> None:
    with browser.new_context(base_url=live_server.url, java_script_enabled=False) as context:
        page = context.new_page()
        sign_in(page)
        version = make_version(make_bot("Moat", alice))
        page.goto(f"/versions/{version.pk}/")
        page.get_by_text("Withdraw this version…").click()
        page.get_by_role("button", name="Withdraw for good").click()
        expect(page.get_by_text("does not play any more")).to_be_visible()


DROP = """([area, name, bytes]) => {
  const transfer = new DataTransfer();
  transfer.items.add(new File([new Uint8Array(bytes)], name));
  area.dispatchEvent(new DragEvent("drop", {dataTransfer: transfer, bubbles: true, cancelable: true}));
}"""


def test_a_file_can_be_dropped(alices: Page) -> None:
    alices.goto("/upload/")
    alices.get_by_label("Name of the bot").fill("Moat")
    alices.evaluate(DROP, [alices.locator("[data-drop]").element_handle(), "bot.py", 20])
    alices.get_by_role("button", name="Upload").click()
    expect(alices.get_by_text("bot.py")).to_be_visible()
    assert BotVersion.objects.get().upload_name == "bot.py"


PASTE = """(target, [file, text, html]) => {
  const clipboardData = new DataTransfer();
  if (file) clipboardData.items.add(new File(["print()"], file));
  if (text) clipboardData.setData("text/plain", text);
  if (html) clipboardData.setData("text/html", html);
  target.dispatchEvent(new ClipboardEvent("paste", {clipboardData, bubbles: true, cancelable: true}));
}"""


def paste(target: Locator, file: str = "", text: str = "", html: str = "") -> None:
    target.evaluate(PASTE, [file, text, html])


@pytest.mark.test_all
def test_a_file_can_be_pasted_but_not_into_the_field_of_the_name(alices: Page) -> None:
    alices.goto("/upload/")
    name = alices.get_by_label("Name of the bot")
    name.fill("Moat")
    paste(alices.locator("body"), "bot.py")
    paste(name, "image.png", "Moat")
    alices.get_by_role("button", name="Upload").click()
    expect(alices.get_by_text("bot.py")).to_be_visible()
    assert BotVersion.objects.get().upload_name == "bot.py"


def test_a_program_can_be_pasted_as_text(alices: Page) -> None:
    alices.goto("/upload/")
    alices.get_by_label("Name of the bot").fill("Moat")
    alices.evaluate(DROP, [alices.locator("[data-drop]").element_handle(), "bot.py", 20])
    paste(alices.locator("body"), text="print('NONE')\n")
    expect(alices.get_by_label("Program")).to_have_value("print('NONE')\n")
    expect_accessible_in_both_schemes(alices)
    alices.get_by_role("button", name="Upload").click()
    expect(alices.get_by_text("main.py")).to_be_visible()
    assert BotVersion.objects.get().upload_name == "main.py"


@pytest.mark.test_all
def test_pastes_without_text_or_into_other_fields_are_not_taken(alices: Page) -> None:
    alices.goto("/upload/")
    paste(alices.locator("body"), text="print('NONE')\n")
    paste(alices.locator("body"), html="<b>print</b>")
    expect(alices.get_by_label("Program")).to_have_value("print('NONE')\n")
    name = alices.get_by_label("Name of the bot")
    paste(name, "bot.py")
    name.evaluate("field => field.type = 'search'")
    paste(name, text="Moat")
    expect(alices.get_by_label("Program")).to_have_value("print('NONE')\n")


def test_a_file_over_the_limit_is_reported_before_it_is_sent(alices: Page) -> None:
    alices.goto("/upload/")
    alices.get_by_label("Name of the bot").fill("Moat")
    alices.evaluate(DROP, [alices.locator("[data-drop]").element_handle(), "bot.py", 5 * 1024**2 + 1])
    expect(alices.get_by_text("The file is larger than 5 MiB.")).to_be_visible()
    alices.get_by_role("button", name="Upload").click()
    expect(alices).to_have_url("/upload/")
    assert not BotVersion.objects.exists()


def _arena(alice: User) -> list[str]:
    """Create rows for all pages of this app, and return the urls of the pages."""
    version = make_ranked("A bot with quite a long name for a phone", 1_523)
    for games in (1, 50):
        RatingPoint.objects.create(version=version, games=games, rating=1_500, standard_error=30, at=timezone.now())
    long = make_version(make_bot("x" * 40))
    notification_create(kind=BUILT, bot=long.bot, occasion="build", version=long.pk, number=1)
    rejected = make_version(version.bot, state=State.REJECTED, step="check", verdict="crashed", log="y" * 500)
    pages = ["/", "/games/", "/games/kakomimasu/", "/games/kakomimasu/guide/", f"/bots/{version.bot_id}/"]
    own = ["/mine/", "/accounts/close/", "/notifications/", "/upload/", f"/bots/{long.bot_id}/challenge/"]
    return [*pages, *own, f"/versions/{version.pk}/", f"/versions/{rejected.pk}/"]


def test_every_page_is_accessible_and_fits(alices: Page, alice: User) -> None:
    for url in _arena(alice):
        alices.goto(url)
        expect_fits_and_is_accessible(alices)


def test_the_sign_in_pages_are_accessible_and_the_first_tab_leads_past_the_navigation(page: Page) -> None:
    for url in ("/accounts/login/", "/accounts/signup/"):
        page.goto(url)
        expect_accessible(page)
    page.goto("/")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "content"
