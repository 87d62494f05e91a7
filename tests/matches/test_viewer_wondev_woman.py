"""How Wondev Woman is drawn and described, in a real Chromium on a real replay."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from core.game import JsonObject
from core.referee import Reply, SeatInfo, Turn, drive, play
from games.registry import game_named
from matches.models import Match
from tests.matches.makers import finish_match, make_match, make_version
from tests.matches.viewing import box, expect_turn, expect_well_drawn, part, run_module

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

MODULE = "games/wondev_woman/viewer.js"
SEED = 3


@pytest.fixture(scope="module")
def records() -> list[JsonObject]:
    """A match by chance on the diamond, which has places without cells."""
    rng = np.random.default_rng(SEED)

    def answer(turn: Turn) -> dict[int, Reply]:
        (ask,) = turn.asks
        actions = [line for line in ask.lines if "&BUILD" in line]
        return {ask.seat: Reply([rng.choice(actions) if actions else "ACCEPT-DEFEAT"], 1.5, 3.0)}

    seats = [SeatInfo(name, "1") for name in ("Alpha", "Beta")]
    match = play(game_named("wondev_woman"), seed=SEED, seats=seats, options={"map": "diamond"})
    return drive(match, answer)[1]


@pytest.fixture
def match(records: list[JsonObject]) -> Match:
    match = make_match(make_version("Alpha"), make_version("Beta"), game="wondev_woman")
    return finish_match(match, records)


def frame_of(records: list[JsonObject], turn: int) -> JsonObject:
    frame: JsonObject = records[turn]["frame"]
    return frame


def last_of(records: list[JsonObject]) -> int:
    return len(records) - 2


def test_scores_and_choices_are_told(watch: Callable[..., Page], match: Match, records: list[JsonObject]) -> None:
    last = last_of(records)
    turn = next(turn for turn in range(last) if max(frame_of(records, turn)["scores"]) > 0)
    frame = frame_of(records, turn)
    page = watch(match, f"#t={turn}")
    expect_turn(page, turn, last)
    expect(part(page, "seats").locator(".viewer-score")).to_have_text([str(score) for score in frame["scores"]])
    expected = ["", ""]
    expected[frame["mover"]] = f"Legal actions {frame['actions']}"
    expect(part(page, "seats").locator(".viewer-parts")).to_have_text(expected)
    expect(part(page, "events")).to_contain_text("Beta climbed to the top: 1 point.")


def test_the_board_is_described_who_hides_is_known_and_the_graph_joins_the_times_of_seats(
    watch: Callable[..., Page], match: Match, records: list[JsonObject]
) -> None:
    page = watch(match)
    page.get_by_text("The board in words").click()
    (x, y), *_ = frame_of(records, 0)["units"][0]
    cell = part(page, "text").locator(f"tr:nth-child({y + 2}) td").nth(x)
    expect(cell).to_contain_text("height 0, unit A1")
    expect(part(page, "text").locator("tr:nth-child(2) td").first).to_have_text("no cell")
    board = part(page, "board")
    size = box(board)
    place = {"x": size["width"] * (0.8 + x + 0.5) / 7.8, "y": size["height"] * (0.8 + y + 0.5) / 7.8}
    board.hover(position=place)  # type: ignore[arg-type]  # a mapping of the right keys
    expect(part(page, "cell")).to_contain_text(f"({x}, {y}): height 0, unit A1")

    frame = "{rows: ['04', '00'], units: [[[0, 0], [5, 5]], [[1, 1], [2, 0]]]}"
    hidden = "[[0, [0, 0]], [0, [5, 5]], [1, [1, 1]], [1, [2, 0]]]"
    for league, expected in ((3, [False, True, False, True]), (2, [False] * 4)):
        call = f"{hidden}.map(([seat, place]) => m.isHidden({{league: {league}}}, {frame}, seat, place))"
        assert run_module(page, MODULE, call) == expected
    words = "{height: 'height', closed: 'closed', unit: 'unit', hidden: 'hidden'}"
    call = f"m.cellText({{league: 3, size: 2}}, {frame}, {{x: 1, y: 0}}, {words})"
    assert run_module(page, MODULE, call) == "closed"

    canvas = "document.querySelector('.viewer-graph canvas')"
    scores = page.evaluate(f"{canvas}.toDataURL()")
    page.get_by_text("CPU ms a turn").click()
    page.wait_for_function(f"scores => {canvas}.toDataURL() !== scores", arg=scores)
    # All but the seats' lines, and their letters at the right, is grey.
    pixels = f"{canvas}.getContext('2d').getImageData(0, 0, {canvas}.width * 0.85, {canvas}.height).data"
    coloured = f"{pixels}.reduce((n, red, i, all) => n + (i % 4 === 0 && Math.abs(red - all[i + 2]) > 80), 0)"
    assert page.evaluate(coloured) > box(page.locator(".viewer-graph"))["width"] / 2


def test_steps_theme_and_accessibility(watch: Callable[..., Page], match: Match, records: list[JsonObject]) -> None:
    expect_well_drawn(watch(match, f"#t={last_of(records) - 3}"), last_of(records) - 3, last_of(records))
