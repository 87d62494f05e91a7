"""The replay viewer in a real Chromium: a real replay is loaded, played, stepped, sought and read aloud."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from core import replay
from matches.models import Match
from tests.browsing import expect_accessible_in_both_schemes
from tests.matches.makers import finish_match, make_match, make_records, make_version, store_replay
from tests.matches.viewing import LAST, box, enter, expect_turn, part, run_module

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


# --- Playing --------------------------------------------------------------------------------------------------------


def test_plays_to_the_end_shows_the_ranks_and_plays_again(watch: Callable[..., Page], finished: Match) -> None:
    page = watch(finished)
    part(page, "speed").select_option("8")
    part(page, "play").click()
    expect(part(page, "play")).to_have_accessible_name("Pause")
    expect_turn(page, LAST)
    expect(part(page, "play")).to_have_accessible_name("Play")
    expect(part(page, "seats").locator(".viewer-rank")).to_have_text(["Place 1", "Place 2"])

    part(page, "speed").select_option("1")
    part(page, "play").click()
    expect(part(page, "turn")).to_have_text(re.compile(r"Turn [1-5] of"))
    page.keyboard.press("Space")
    expect(part(page, "play")).to_have_accessible_name("Play")


def test_buttons_keys_and_the_seek_bar_step_and_jump(watch: Callable[..., Page], finished: Match) -> None:
    page = watch(finished)
    expect_turn(page, 0)
    expect(part(page, "rules")).to_be_hidden()
    for name, texts in (("name", ["Alpha", "Beta"]), ("score", ["0", "0"])):
        expect(part(page, "seats").locator(f".viewer-{name}")).to_have_text(texts)
    expect(part(page, "seats").locator(".seat-letter")).to_have_text(["A", "B"])
    for button, turn in (("forward", 1), ("forward", 2), ("back", 1), ("last", LAST), ("back", LAST - 1), ("first", 0)):
        part(page, button).click()
        expect_turn(page, turn)
    expect(part(page, "back")).to_have_attribute("aria-disabled", "true")

    part(page, "first").evaluate("button => button.blur()")
    for key, turn in (("ArrowRight", 1), ("End", LAST), ("ArrowLeft", LAST - 1), ("Home", 0)):
        page.keyboard.press(key)
        expect_turn(page, turn)
    for key, speed in (("+", "2"), ("-", "1"), ("-", "0.5")):
        page.keyboard.press(key)
        expect(part(page, "speed")).to_have_value(speed)
    part(page, "last").focus()
    page.keyboard.press("Space")  # presses the focused button alone
    expect_turn(page, LAST)
    expect(part(page, "play")).to_have_accessible_name("Play")

    part(page, "seek").fill("17")
    expect_turn(page, 17)
    expect(part(page, "seek")).to_have_attribute("aria-valuetext", f"Turn 17 of {LAST}")
    part(page, "seek").focus()
    page.keyboard.press("ArrowRight")
    expect_turn(page, 18)


@pytest.mark.test_all
def test_reduced_motion_shows_steps_at_once(watch: Callable[..., Page], finished: Match) -> None:
    page = watch(finished, "#t=7")
    page.emulate_media(reduced_motion="reduce")
    same = """() => {
      const image = () => document.querySelector("[data-viewer=board]").toDataURL();
      document.querySelector("[data-viewer=forward]").click();
      const stepped = image();
      document.querySelector("[data-viewer=forward]").click();
      document.querySelector("[data-viewer=back]").click();
      return stepped === image();
    }"""

    assert page.evaluate(same)


# --- Links, graph, commentary ---------------------------------------------------------------------------------------


def test_link_opens_its_turn_and_follows_the_steps(watch: Callable[..., Page], finished: Match) -> None:
    page = watch(finished, "#t=17")
    expect_turn(page, 17)
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile(r"#t=18$"))

    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    part(page, "link").click()
    expect(part(page, "copied")).to_have_text("Link copied.")
    assert str(page.evaluate("navigator.clipboard.readText()")).endswith(f"/matches/{finished.pk}/#t=18")


@pytest.mark.test_all
def test_the_url_changes_after_a_pause_and_a_copied_link_has_its_turn_at_once(
    watch: Callable[..., Page], finished: Match
) -> None:
    """Safari refuses more than a hundred urls in ten seconds: a held arrow left the link at an earlier turn."""
    page = watch(finished)
    expect(page).to_have_url(re.compile(r"#t=0$"))
    script = """async () => {
      const [urls, copied] = [[], []];
      history.replaceState = (state, title, url) => urls.push(url);
      navigator.clipboard.writeText = async (text) => copied.push(text);
      const press = (name) => document.querySelector(`[data-viewer=${name}]`).click();
      for (let turn = 1; turn <= 20; turn++) press("forward");
      press("link");
      const before = urls.length;
      while (!urls.length) await new Promise(requestAnimationFrame);
      return [before, urls, copied];
    }"""
    link = f"{page.url.partition('#')[0]}#t=20"

    assert page.evaluate(script) == [0, [link], [link]]


@pytest.mark.test_all
def test_odd_links_open_a_turn(watch: Callable[..., Page], page: Page, finished: Match) -> None:
    page.emulate_media(reduced_motion="reduce")  # or a link without a turn would play on from the first one
    for hash_, turn in (("#t=9999", LAST), ("#t=-1", 0), ("#content", 0)):
        page.goto("about:blank")
        expect_turn(watch(finished, hash_), turn)


@pytest.mark.test_all
def test_graph_cursor_moves_a_click_seeks_and_milliseconds_are_shown_too(
    watch: Callable[..., Page], finished: Match
) -> None:
    page = watch(finished)
    cursor = page.locator(".viewer-graph-now")
    start = box(cursor)["x"]
    part(page, "last").click()
    end = box(cursor)["x"]
    plot = page.locator(".viewer-graph .u-over")
    size = box(plot)
    assert end - start == pytest.approx(size["width"], abs=2)
    plot.click(position={"x": size["width"] / 2, "y": 20})
    expect_turn(page, LAST // 2)

    drawn = "document.querySelector('.viewer-graph canvas').toDataURL()"
    scores = page.evaluate(drawn)
    page.get_by_text("CPU ms a turn").click()
    page.wait_for_function(f"scores => {drawn} !== scores", arg=scores)
    expect(part(page, "seats").locator(".viewer-cpu").first).to_have_text("1.5 of 100 ms CPU")
    # Browsers keep what was chosen, Firefox over a reload, too.
    page.goto("/games/")
    page.go_back()
    expect(page.get_by_label("CPU ms a turn")).to_be_checked()
    page.wait_for_function(f"scores => {drawn} !== scores", arg=scores)


@pytest.mark.test_all
def test_a_replay_of_before_limits_were_told_shows_what_was_used_alone(
    watch: Callable[..., Page], finished: Match
) -> None:
    page = watch(finished, "#t=5")
    turn = "{seats: [null, {cpu_ms: 1.5, limit_ms: 100}]}"
    call = f"m.graphSeries({{frames: [], turns: [null, {turn}], seats: [1, 2]}}, {{}}, {{limit: 'at most {{ms}}'}})"
    limit = {"values": [None, 100], "least": 100, "text": "at most 100"}
    assert run_module(page, "shell.js", f"{call}.cpu.limit") == limit

    def older(route: Route) -> None:
        records = route.fetch().json()
        for seat in (seat for line in records[1:-1] for seat in line["seats"]):
            assert seat.pop("limit_ms") in (100, 1_000)
        route.fulfill(json=records)

    page.route("**/replay.json", older)
    page.reload()
    expect(part(page, "seats").locator(".viewer-cpu").first).to_have_text("1.5 ms CPU")


def test_commentary_follows_marks_the_seek_bar_and_is_spoken(watch: Callable[..., Page]) -> None:
    match = finish_match(
        make_match(make_version("Alpha"), make_version("Beta")), make_records("Alpha", "Beta", fault_turn=12)
    )
    page = watch(match)
    expect(page.locator(".viewer-mark-lead")).to_have_text("⇅")
    title = re.compile("^Turn 12. Beta is out of the match. ")
    expect(page.locator(".viewer-mark-fault")).to_have_attribute("title", title)
    part(page, "events").evaluate("list => list.style.maxHeight = '2rem'")
    fault = page.locator(".viewer-event-fault")
    expect(fault).not_to_be_in_viewport()

    part(page, "events").get_by_role("button", name="Turn 5.").click()
    expect_turn(page, 5)
    expect(page.locator(".viewer-event.is-now .viewer-event-sign")).to_have_attribute("data-seat", "0")
    said = re.compile(r"^Turn 5\. A 66, B \d+\. Alpha takes the lead with 66 points\.$")
    expect(part(page, "spoken")).to_have_text(said)

    page.locator(".viewer-mark-fault").click()
    expect_turn(page, 12)
    expect(fault).to_be_in_viewport()
    faults = part(page, "seats").locator(".viewer-fault")
    expect(faults.nth(1)).to_contain_text("Out since turn 12. It ended with exit code 1.")
    page.keyboard.press("ArrowRight")
    expect(part(page, "seats").locator(".viewer-cpu").nth(1)).to_have_text("not asked")
    part(page, "last").click()
    expect(page.locator(".viewer-event").last).to_contain_text(re.compile("Alpha wins: .*Beta is out of the match"))
    expect(page.locator(".viewer-event-won .viewer-event-text")).to_have_css("font-weight", "700")
    expect(page.locator(".viewer-mark-won")).to_have_text("★")


@pytest.mark.test_all
@pytest.mark.parametrize(("version", "names"), [("2", ("Alpha v1", "Alpha v2")), ("1", ("Alpha (A)", "Alpha (B)"))])
def test_bots_of_one_name_are_told_apart(watch: Callable[..., Page], version: str, names: tuple[str, str]) -> None:
    match = make_match(make_version("Alpha"), make_version("Beta"))
    records = make_records("Alpha", "Alpha")
    records[0]["seats"][1]["version"] = version
    page = watch(finish_match(match, records))
    expect(page.locator(".viewer-event-won")).to_contain_text(f"{names[0]} wins: 98 points to 94 by {names[1]}.")


def test_board_is_told_in_words_and_the_cell_pointed_at(watch: Callable[..., Page], finished: Match) -> None:
    page = watch(finished, "#t=8")
    page.get_by_text("The board in words").click()
    cell = part(page, "text").locator("tr:nth-child(3) td:nth-child(4)")
    expect(cell).to_have_text("7, area of A")
    part(page, "first").click()
    expect(cell).to_have_text("7")

    part(page, "forward").click()
    board = part(page, "board")
    size = box(board)
    board.hover(position={"x": size["width"] * (0.8 + 1.5) / 10.8, "y": size["height"] * (0.8 + 1.5) / 10.8})
    expect(part(page, "cell")).to_have_text("(1, 1): 5, wall of A, agent A1")


# --- Hostile and broken input ---------------------------------------------------------------------------------------


def test_markup_in_names_and_messages_is_shown_as_text(watch: Callable[..., Page]) -> None:
    attack = "<img src=x onerror='window.hacked=1'>"
    records = make_records(attack, "\u202eBeta", fault_turn=5, message=attack)
    match = finish_match(make_match(make_version(attack), make_version("Beta")), records)
    page = watch(match, "#t=2")
    page.get_by_text("What the bots answered").click()
    answers = part(page, "answers").locator("section")
    expect(answers.first.locator("pre")).to_have_text(f"MOVE 1 2 {attack}\nMOVE 5 2 {attack}")
    page.keyboard.press("End")
    expect(answers.nth(1)).to_contain_text("No answer in this turn.")
    expect(part(page, "seats").locator(".viewer-name").first).to_have_text(attack)
    expect(part(page, "seats").locator(".viewer-fault").nth(1)).to_contain_text(attack)
    expect(part(page, "events")).to_contain_text(attack)
    assert page.locator("main img").count() == 0
    assert page.evaluate("window.hacked") is None


@pytest.mark.test_all
def test_a_replay_that_is_damaged_or_of_another_format_is_refused_in_words(
    browser: Browser, live_server: LiveServer, finished: Match
) -> None:
    finished.result.replay_digest = store_replay(b"damaged")
    finished.result.save()
    page = browser.new_page()  # not the checked one: the browser writes the refused request to its console
    page.goto(f"{live_server.url}/matches/{finished.pk}/")
    expect(part(page, "failure")).to_contain_text("The replay of this match is damaged and cannot be shown.")
    expect(part(page, "board")).to_be_hidden()
    call = "(() => { try { m.readReplay([{format: 9}], {}) } catch (e) { return [e.word, e.values] } })()"
    assert run_module(page, "replay.js", call) == ["unknown_format", {"format": 9}]
    page.close()


# --- Waiting, sizes, themes -----------------------------------------------------------------------------------------


@pytest.mark.test_all
def test_waiting_page_turns_into_the_viewer_by_itself(page: Page) -> None:
    match = make_match(make_version("Alpha"), make_version("Beta"))
    page.goto(f"/matches/{match.pk}/")
    expect(page.get_by_text("This match waits for a worker.")).to_be_visible()

    finish_match(match)

    expect(page.locator("[data-viewer=root][data-state=ready]")).to_be_visible()


def test_page_fits_every_width(watch: Callable[..., Page], finished: Match) -> None:
    page = watch(finished)
    for width in (1280, 768, 390, 320):
        page.set_viewport_size({"width": width, "height": 800})
        page.wait_for_function("width => document.querySelector('[data-viewer=board]').clientWidth < width", arg=width)
        assert box(part(page, "board"))["x"] >= 0
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), width


@pytest.mark.test_all
def test_a_phone_draws_sharply_steps_by_taps_and_keeps_a_tapped_cell_told(
    browser: Browser, live_server: LiveServer, finished: Match
) -> None:
    phone = {"has_touch": True, "viewport": {"width": 390, "height": 844}, "device_scale_factor": 2}
    with browser.new_context(**phone, base_url=live_server.url) as context:  # type: ignore[arg-type]  # of many types
        page = context.new_page()
        page.goto(f"/matches/{finished.pk}/#t=0")
        expect_turn(page, 0)
        part(page, "forward").tap()
        expect_turn(page, 1)
        # Else Safari shows the page larger, at the second of two quick taps or when the speed is chosen.
        assert part(page, "forward").evaluate("button => getComputedStyle(button).touchAction") == "manipulation"
        assert part(page, "speed").evaluate("select => parseFloat(getComputedStyle(select).fontSize)") >= 16
        ratio = page.evaluate("(c => c.width / c.clientWidth)(document.querySelector('[data-viewer=board]'))")
        assert ratio == pytest.approx(2, rel=0.01)

        size = box(part(page, "board"))
        place = (0.8 + 1.5) / 10.8  # behind the ruler, the middle of the second of ten cells
        part(page, "board").tap(position={"x": size["width"] * place, "y": size["height"] * place})
        expect(part(page, "cell")).to_have_text("(1, 1): 5, wall of A, agent A1")
        part(page, "forward").tap()
        expect(part(page, "cell")).to_have_text("(1, 1): 5, wall of A")


def test_pages_of_matches_are_accessible(page: Page, live_server: LiveServer) -> None:
    records = make_records("Alpha", "Beta", fault_turn=12)
    mine = make_version("Beta", check_replay_digest=store_replay(replay.encode(records)))
    match = finish_match(make_match(make_version("Alpha"), mine), records)
    waiting = make_match(mine, make_version("Gamma"))
    enter(page, mine.bot.owner, live_server)
    for path in (f"/matches/{match.pk}/#t=12", f"/versions/{mine.pk}/check/", f"/matches/{waiting.pk}/", "/matches/"):
        page.goto(path)
        expect(page.locator("[data-state=loading]")).to_have_count(0)
        page.set_viewport_size({"width": 360, "height": 1000})
        expect_accessible_in_both_schemes(page)
