"""How Puyo Puyo is drawn and described, in a real Chromium on a real replay."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from core.playout import random_answers, replay_answers
from games.registry import game_named
from matches.models import Match
from tests.matches.makers import finish_match, make_match, make_version
from tests.matches.viewing import box, expect_turn, expect_well_drawn, part, run_module

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

MODULE = "games/puyo/viewer.js"
SEED, LAST = 70, 23
"""A match of random players in which seat 0's chain of three ends in turn 12; 11 garbage puyos fall in turn 13."""
CHAIN = 12


def finished(ruleset: str = "tsu") -> Match:
    table = {"seed": SEED, "players": 2, "options": {"ruleset": ruleset}}
    game = game_named("puyo")
    _, records = replay_answers(game, random_answers(game, **table), **table)  # type: ignore[arg-type]  # one table for both
    return finish_match(make_match(make_version("Alpha"), make_version("Beta"), game="puyo"), records)


@pytest.fixture
def match() -> Match:
    return finished()


def test_a_chain_its_garbage_and_the_board_are_told(watch: Callable[..., Page], match: Match) -> None:
    page = watch(match, f"#t={CHAIN}")
    scores, parts = (part(page, "seats").locator(f".viewer-{name}") for name in ("score", "parts"))
    expect(scores).to_have_text(["1,000", "220"])
    expect(parts).to_have_text(["Garbage to come 0 · Chain 3", "Garbage to come 11 · Chain 0"])
    expect(part(page, "spoken")).to_contain_text("sets off a chain of 3: 1,000 points.")
    expect(page.locator(".viewer-mark-chain")).to_have_text("≫")

    page.keyboard.press("ArrowRight")
    expect_turn(page, CHAIN + 1, last=LAST)
    expect(parts).to_have_text(["Garbage to come 0 · Chain 0", "Garbage to come 0 · Chain 0"])
    expect(part(page, "events")).to_contain_text("11 garbage puyos fall on ")
    page.get_by_text("The board in words").click()
    row = part(page, "text").locator("tr").last.locator("td")
    mine = ["blue", "red", "blue", "red", "yellow", "empty"]
    expect(row).to_have_text([*mine, "yellow", "green", "red", "garbage", "green", "garbage"])
    width, height = run_module(page, MODULE, "Object.values(m.shape({columns: 6, rows: 13}))")
    board = part(page, "board")
    size = box(board)
    for x, y, text in ((0.5, 12.5, "(0, 12): blue"), (6 + 5.6 + 1.5, 7.5, "(7, 7): garbage"), (8.0, 3.0, "")):
        board.hover(position={"x": size["width"] * (0.4 + x) / width, "y": size["height"] * (1.2 + y) / height})
        expect(part(page, "cell")).to_have_text(text)


def test_the_texts_of_a_seat_are_whole_and_do_not_move_the_board(
    watch: Callable[..., Page], page: Page, match: Match
) -> None:
    """Beside the CPU time of a turn the amount of garbage to come was cut off."""
    for width in (320, 667, 1280):
        page.set_viewport_size({"width": width, "height": 700})
        page.goto("about:blank")
        watch(match, f"#t={CHAIN}")
        for cell in part(page, "seats").locator(".viewer-parts, .viewer-cpu").all():
            assert cell.evaluate("cell => cell.scrollWidth <= cell.clientWidth")
        place = box(part(page, "board"))
        page.keyboard.press("Home")
        expect_turn(page, 0, last=LAST)
        assert box(part(page, "board")) == place, width


def test_steps_theme_and_accessibility(watch: Callable[..., Page], match: Match) -> None:
    expect_well_drawn(watch(match, f"#t={CHAIN}"), CHAIN, LAST)


def test_smash_the_code_has_no_hidden_row(watch: Callable[..., Page]) -> None:
    page = watch(finished("smash_the_code"), "#t=5")
    page.get_by_text("The board in words").click()
    expect(part(page, "text").locator("tr")).to_have_count(1 + 12)
