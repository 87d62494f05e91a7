"""How Back to the Code is drawn and described, in a real Chromium on a real replay."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from core.game import JsonObject
from core.playout import random_answers, replay_answers
from core.referee import Reply, SeatInfo, Turn, drive, play
from games.registry import game_named
from matches.models import Match
from tests.matches.makers import finish_match, make_match, make_version
from tests.matches.viewing import BORDER_COLOURS, box, expect_turn, expect_well_drawn, part, run_module

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

MODULE = "games/back_to_the_code/viewer.js"
STEPS = {"R": (1, 0), "L": (-1, 0), "D": (0, 1), "U": (0, -1), ".": (0, 0)}
RING = "RRDDLLU"
"""From a corner of a square of three cells a side round it; the last step closes it."""
SEED = 1
"""On 7 x 5 cells seat 0 starts at (1, 1), seat 1 at (5, 3)."""
RETURN = 8
"""Seat 1 goes BACK 3 in this turn."""


@pytest.fixture
def match() -> Match:
    match = make_match(make_version("Alpha"), make_version("Beta"), game="back_to_the_code")
    return finish_match(match, make_records())


def make_records() -> list[JsonObject]:
    """Play a real match: seat 0 walks a ring and stands, seat 1 stands and goes BACK."""

    def answer(turn: Turn) -> dict[int, Reply]:
        walker, stander = ([int(word) for word in ask.lines[-7].split()] for ask in turn.asks)
        dx, dy = STEPS[RING[turn.number - 1]] if turn.number <= len(RING) else (0, 0)
        return {
            0: Reply([f"{walker[0] + dx} {walker[1] + dy}"], 1.5, 3.0),
            1: Reply(["BACK 3 bye" if turn.number == RETURN else f"{stander[0]} {stander[1]}"], 1.5, 3.0),
        }

    seats = [SeatInfo(name, "1") for name in ("Alpha", "Beta")]
    options = {"width": 7, "height": 5, "rounds": 12}
    return drive(play(game_named("back_to_the_code"), seed=SEED, seats=seats, options=options), answer)[1]


def test_a_ring_a_return_and_the_board_are_described(watch: Callable[..., Page], match: Match) -> None:
    page = watch(match, "#t=7")
    scores, parts = (part(page, "seats").locator(f".viewer-{name}") for name in ("score", "parts"))
    expect(scores).to_have_text(["9", "1"])
    expect(parts).to_have_text(["BACK left 1", "BACK left 1"])
    page.get_by_text("The board in words").click()
    row = part(page, "text").locator("tr:nth-child(4) td")
    expect(row).to_have_text(["neutral", "area of A, agent A", "area of A", "area of A", *["neutral"] * 3])
    board = part(page, "board")
    size = box(board)
    board.hover(position={"x": size["width"] * (0.8 + 5.5) / 7.8, "y": size["height"] * (0.8 + 3.5) / 5.8})
    expect(part(page, "cell")).to_have_text("(5, 3): area of B, agent B")

    page.keyboard.press("ArrowRight")
    expect_turn(page, RETURN, last=16)
    expect(scores).to_have_text(["5", "1"])
    expect(parts).to_have_text(["BACK left 1", "BACK left 0"])
    expect(part(page, "spoken")).to_contain_text("Beta goes BACK to round 5; 4 cells set free.")
    expect(page.locator(".viewer-mark-back")).to_have_count(1)

    step = "{before: {seats: [[1, 1, 1, 0], [4, 2, 1, 0]]}, after: {seats: [[2, 1, 1, 0], [2, 1, 1, 0]]}}"
    places = run_module(page, MODULE, f"[0, 0.5, 1].map((progress) => m.seatPlace({step}, 0, progress))")
    assert places == [{"x": 1, "y": 1}, {"x": pytest.approx(1.39), "y": pytest.approx(0.89)}, {"x": 1.78, "y": 0.78}]
    assert run_module(page, MODULE, f"m.seatPlace({step}, 1, 1)") != places[2], "they keep apart on one cell"


def test_who_stands_at_the_edge_is_seen_whole(watch: Callable[..., Page]) -> None:
    """The picture must not end with the cells, or the mark of a BACK at the edge is cut off."""
    table = {"seed": SEED, "players": 4, "options": {"width": 2, "height": 2, "rounds": 10}}
    game = game_named("back_to_the_code")
    _, records = replay_answers(game, random_answers(game, **table), **table)  # type: ignore[arg-type]  # one table for both
    versions = [make_version(name) for name in ("Alpha", "Beta", "Gamma", "Delta")]
    page = watch(finish_match(make_match(*versions, game="back_to_the_code"), records))
    assert part(page, "board").evaluate(BORDER_COLOURS) == [1, 1]


def test_steps_theme_and_accessibility(watch: Callable[..., Page], match: Match) -> None:
    expect_well_drawn(watch(match, f"#t={RETURN}"), RETURN, 16)
