"""How Attack 25 is drawn and described, in a real Chromium on a real replay."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import pytest
from playwright.sync_api import Page, expect

from core.game import JsonObject
from core.referee import Reply, SeatInfo, Turn, drive, play
from games.registry import game_named
from matches.models import Match
from tests.matches.makers import finish_match, make_match, make_version
from tests.matches.viewing import box, expect_turn, expect_well_drawn, part, run_module

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

MODULE = "games/attack25/viewer.js"
NAMES = ("Alpha", "Beta", "Gamma", "Delta")
LAST = 52
BIDS = ((9, 1, 0, 0), (0, 8, 1, 0), (7, 0, 0, 2))
"""The bids of the first rounds, which A, B and A win."""
PICKS = (13, 7, 1)
"""The third turns panel 7 over. Later nobody bids, and the first panel that may be taken is."""
CAPTURE = 6
"""In this turn the third panel is taken."""


@pytest.fixture
def match() -> Match:
    match = make_match(*map(make_version, NAMES), game="attack25")
    return finish_match(match, make_records())


def make_records(**options: str) -> list[JsonObject]:
    """Play a real match; in the Attack Chance panel 13 is emptied."""

    def answer(turn: Turn) -> dict[int, Reply]:
        return {ask.seat: Reply([_answer(ask.seat, ask.lines)], 1.5, 3.0) for ask in turn.asks}

    seats = [SeatInfo(name, "1") for name in NAMES]
    return drive(play(game_named("attack25"), seed=1, seats=seats, options=options), answer)[1]


def _answer(seat: int, lines: Sequence[str]) -> str:
    """Return a bot's answer, to the line PICK, which comes last, or to the lines of a round."""
    question = next(line for line in reversed(lines) if line.startswith(("BID", "PICK")))
    kind, round_, chance, *rest = question.split()
    number = int(round_) - 1
    if kind == "BID":
        return str(BIDS[number][seat]) if number < len(BIDS) else "0"
    panel = PICKS[number] if number < len(PICKS) else int(rest[1].split(",")[0])
    return f"{panel} 13" if chance == "1" else str(panel)


def test_captures_the_board_and_the_attack_chance_are_described(watch: Callable[..., Page], match: Match) -> None:
    page = watch(match, f"#t={CAPTURE - 1}")
    scores, parts = (part(page, "seats").locator(f".viewer-{name}") for name in ("score", "parts"))
    expect(scores).to_have_text(["1", "1", "0", "0"])
    expect(parts).to_have_text(["Chips 84 · Bid 7", "Chips 92 · Bid 0", "Chips 100 · Bid 0", "Chips 100 · Bid 2"])
    page.get_by_text("The board in words").click()
    row = part(page, "text").locator("tr:nth-child(2) td")
    expect(row).to_have_text(["1, neutral, may be taken by R", "2, neutral", "3, neutral", "4, neutral", "5, neutral"])
    board = part(page, "board")
    size = box(board)
    board.hover(position={"x": size["width"] * (0.8 + 1.5) / 5.8, "y": size["height"] * (0.8 + 1.5) / 5.8})
    expect(part(page, "cell")).to_have_text("(1, 1): 7, panel of G")

    page.keyboard.press("ArrowRight")
    expect_turn(page, CAPTURE, last=LAST)
    expect(scores).to_have_text(["3", "0", "0", "0"])
    expect(part(page, "spoken")).to_contain_text("Beta loses the last of its panels.")
    expect(page.locator(".viewer-mark-chance")).to_have_attribute("title", re.compile("^Turn 40. Attack Chance"))
    page.locator(".viewer-mark-erased").click()
    expect_turn(page, 42, last=LAST)
    assert run_module(page, MODULE, "[0, 0.25, 0.5, 0.75, 1].map(m.panelWidth)") == [0, 0, 0, 0.5, 1]
    assert run_module(page, MODULE, "[[0, 0], [2, 2], [4, 4]].map(([x, y]) => m.panelNumber({x, y}))") == [1, 13, 25]


COLOURS = ("#b3261e", "#2c7a43", "#fffdf7", "#1a5fa6")
"""The seats' colours in the light theme: red, green, white and blue."""
PANEL_COLOURS = """board => {
  const { width, height } = board;
  const { data } = board.getContext("2d").getImageData(0, 0, width, height);
  // Between the letter and the edge, where neither number nor pattern is.
  const place = (x, y) => [0.8 + x + 0.9, 0.8 + y + 0.65].map((cells) => Math.round(cells * width / 5.8));
  const places = Array.from({ length: 25 }, (_, n) => place(n % 5, Math.floor(n / 5)));
  return places.map(([x, y]) => [...data.slice(4 * (y * width + x)).slice(0, 3)]);
}"""
"""The colour of each panel on the board."""


def test_letters_and_colours_are_those_of_the_protocol(watch: Callable[..., Page], page: Page, match: Match) -> None:
    page.emulate_media(color_scheme="light")
    watch(match, f"#t={LAST}")
    badges = part(page, "seats").locator(".seat-letter")
    expect(badges).to_have_text(list("RGWB"))
    for badge, colour in zip(badges.all(), COLOURS, strict=True):
        expect(badge).to_have_css("background-color", rgb(colour))
    expect(page.locator(".match-bots .seat-letter")).to_have_text(list("RGWB"))
    expect(part(page, "spoken")).to_contain_text(re.compile(r"R \d+, G \d+, W \d+, B \d+"))
    erased = re.compile(r"makes panel 13 of (Alpha|Beta|Gamma|Delta) empty again\.")
    expect(part(page, "events")).to_contain_text(erased)

    tiles = "".join(make_records()[LAST]["frame"]["tiles"])
    shown = [f"rgb({r}, {g}, {b})" for r, g, b in part(page, "board").evaluate(PANEL_COLOURS)]
    assert shown == [rgb(COLOURS["RGWB".index(tile)]) for tile in tiles]

    page.goto("/games/attack25/guide/")
    for letter, colour in zip("RGWB", COLOURS, strict=True):
        expect(page.locator(f".ground-panel-{letter}").first).to_have_css("fill", rgb(colour))


def rgb(colour: str) -> str:
    """Return a colour in the notation of computed styles."""
    return f"rgb({', '.join(str(channel) for channel in bytes.fromhex(colour[1:]))})"


def test_steps_theme_and_accessibility(watch: Callable[..., Page], match: Match) -> None:
    expect_well_drawn(watch(match, f"#t={CAPTURE}"), CAPTURE, LAST)


def test_order_mode_has_no_chips(watch: Callable[..., Page]) -> None:
    match = finish_match(make_match(*map(make_version, NAMES), game="attack25"), make_records(mode="order"))
    page = watch(match, "#t=9")
    expect(part(page, "seats").locator(".viewer-parts")).to_have_text([""] * 4)
