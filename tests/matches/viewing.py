"""Helpers for tests of the replay viewer, on the page of any game."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import FloatRect, Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import User
from tests.browsing import expect_accessible_in_both_schemes
from tests.visitors import signed_in

BOARD_PX_MIN = 250
"""The least size of the board in one direction, in pixels, also on phones."""
LAST = 30
"""Turns of the matches that ``make_records`` makes; the rings close on turn 8."""

BORDER_COLOURS = """board => {
  const { width, height } = board;
  const pixels = new Uint32Array(board.getContext("2d").getImageData(0, 0, width, height).data.buffer);
  const right = pixels.filter((_, place) => place % width === width - 1);
  return [right, pixels.slice(-width)].map((edge) => new Set(edge).size);
}"""
"""How many colours the picture has along its right and its lower border."""


def enter(page: Page, user: User, server: LiveServer) -> None:
    """Give a browser the session of a user who has signed in."""
    session = signed_in(user).cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": server.url}])


def part(page: Page, name: str) -> Locator:
    return page.locator(f"[data-viewer={name}]")


def expect_turn(page: Page, turn: int, last: int = LAST) -> None:
    expect(part(page, "turn")).to_have_text(f"Turn {turn} of {last}")


def board_image(page: Page) -> str:
    return str(page.evaluate("document.querySelector('[data-viewer=board]').toDataURL()"))


def box(locator: Locator) -> FloatRect:
    """Return the bounding box of an element in pixels."""
    found = locator.bounding_box()
    assert found is not None
    return found


def expect_in_first_screen(page: Page) -> None:
    """Expect that the board, all controls and all scores are seen without scrolling, and that the board is large."""
    expect(page.locator("[data-viewer=root][data-state=ready]")).to_be_visible()
    size = page.viewport_size
    assert size is not None
    scores = part(page, "seats").locator(".viewer-score")
    expect(scores.first).to_be_visible()
    assert page.evaluate("scrollY") == 0
    controls = part(page, "bar").locator(":is(button, select, input):visible")
    for seen in (part(page, "board"), part(page, "play"), *controls.all(), *scores.all()):
        place = box(seen)
        assert min(place["x"], place["y"]) >= 0, (seen, place)
        assert place["x"] + place["width"] <= size["width"], (seen, place)
        assert place["y"] + place["height"] <= size["height"], (seen, place)
    board = box(part(page, "board"))
    assert board["y"] + board["height"] <= box(part(page, "bar"))["y"], "the bar, which is sticky, covers the board"
    assert max(board["width"], board["height"]) > BOARD_PX_MIN, board


def run_module(page: Page, module: str, expression: str) -> Any:
    """Evaluate an expression in which ``m`` is a module of the viewer, or of a game as ``games/puyo/viewer.js``."""
    folder = "" if module.startswith("games/") else "matches/viewer/"
    return page.evaluate(f"import('/static/{folder}{module}').then((m) => ({expression}))")


def expect_step_like_jump(page: Page, turn: int, last: int) -> None:
    """Expect that a step to a turn ends with the picture with which the page was opened at it."""
    jumped = board_image(page)
    part(page, "back").click()
    expect_turn(page, turn - 1, last)
    assert board_image(page) != jumped
    part(page, "forward").click()
    page.wait_for_function("image => document.querySelector('[data-viewer=board]').toDataURL() === image", arg=jumped)


def expect_board_of_theme(page: Page) -> None:
    """Expect that the board has other colours in the dark theme."""
    page.emulate_media(color_scheme="light")
    light = board_image(page)
    page.emulate_media(color_scheme="dark")
    page.wait_for_function("image => document.querySelector('[data-viewer=board]').toDataURL() !== image", arg=light)


def expect_well_drawn(page: Page, turn: int, last: int) -> None:
    """Expect of a page that was opened at a turn what holds for the drawing of every game."""
    expect_step_like_jump(page, turn, last)
    expect_board_of_theme(page)
    page.emulate_media(color_scheme="light")
    expect_accessible_in_both_schemes(page)
