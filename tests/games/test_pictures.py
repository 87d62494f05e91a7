"""The pictures of boards for links to matches, as each game describes them in squares."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from banzuke.testing import Setup
from games.attack25.picture import SEATS as PANELS
from games.picture import PAPER, SEATS, SUNK, Rows, Square, pieces, squares, tint
from games.puyo.picture import COLOURS as PUYOS
from games.registry import game_part
from games.wondev_woman.picture import STONE
from tests.core.setups import registered

COLOUR = re.compile("#[0-9a-f]{6}")


def cells(game: str, frame: dict[str, object], **setting: object) -> Rows:
    """Return the picture of a frame that has only what the picture needs."""
    found: Rows = game_part(game, "picture").cells(setting, frame)
    return found


@pytest.mark.parametrize("setup", registered(), ids=str)
def test_a_picture_is_a_rectangle_of_squares_that_can_be_painted(setup: Setup) -> None:
    game = setup.game
    for state in (setup.reset(5), setup.midgame()[0]):
        rows = cells(game.name, game.frame(state, 0), **game.setting(state, 0))
        assert len({len(row) for row in rows}) == 1, "All rows are equally long."
        for square in (square for row in rows for square in row if square is not None):
            assert COLOUR.fullmatch(square.ground)
            assert not square.piece or COLOUR.fullmatch(square.piece)
            assert len(square.text) <= 2
            assert square.text.isascii()


@pytest.mark.parametrize("setup", registered(), ids=str)
def test_a_picture_changes_in_the_course_of_a_match(setup: Setup) -> None:
    game, states = setup.game, [state for state, _ in setup.states(5)]
    pictures = [cells(game.name, game.frame(state, 0), **game.setting(state, 0)) for state in (states[0], states[-1])]
    assert pictures[0] != pictures[1]


def test_squares_are_made_of_a_tile_and_its_place() -> None:
    made = squares(["ab", "c."], lambda tile, x, y: None if tile == "." else Square(text=f"{x}{y}"))
    assert made == [[Square(text="00"), Square(text="10")], [Square(text="01"), None]]
    assert Square() == Square(PAPER, "", "")


def test_pieces_have_the_colour_of_their_seat_and_a_number_from_one() -> None:
    assert pieces([[(0, 1), (2, 1)], [(-1, -1)]]) == {
        (0, 1): (SEATS[0], "1"),
        (2, 1): (SEATS[0], "2"),
        (-1, -1): (SEATS[1], "1"),
    }


@pytest.mark.parametrize(
    ("amount", "paper", "mixed"),
    [(1, "#ffffff", "#1a6aa6"), (0, "#fffdf7", "#fffdf7"), (0.5, "#000000", "#0d3553"), (0.5, "#ffffff", "#8cb4d2")],
)
def test_a_tint_lies_between_the_paper_and_the_colour(amount: float, paper: str, mixed: str) -> None:
    assert tint(SEATS[0], amount, paper) == mixed


def grounds(rows: Rows) -> list[list[str | None]]:
    return [[square and square.ground for square in row] for row in rows]


def texts(rows: Rows) -> list[list[str | None]]:
    return [[square and square.text for square in row] for row in rows]


def on(rows: Rows) -> list[list[str | None]]:
    return [[square and square.piece for square in row] for row in rows]


def test_panels_have_the_colours_of_attack_25_and_their_numbers() -> None:
    tiles = ["R.G..", "W...B", ".....", ".....", "....."]
    rows = cells("attack25", {"tiles": tiles})
    assert grounds(rows)[:2] == [[PANELS[0], SUNK, PANELS[1], SUNK, SUNK], [PANELS[2], SUNK, SUNK, SUNK, PANELS[3]]]
    assert [text for row in texts(rows) for text in row] == [str(number) for number in range(1, 26)]
    assert {piece for row in on(rows) for piece in row} == {""}


def test_land_of_back_to_the_code_is_tinted_and_seats_that_are_out_are_gone() -> None:
    frame = {"tiles": [".0", "1."], "seats": [[1, 0, 1, 0], [0, 1, 0, 1]]}
    rows = cells("back_to_the_code", frame)
    assert grounds(rows) == [[PAPER, tint(SEATS[0], 0.6)], [tint(SEATS[1], 0.6), PAPER]]
    assert on(rows) == [["", SEATS[0]], ["", ""]]


def test_walls_of_kakomimasu_are_darker_than_areas_and_agents_have_their_numbers() -> None:
    rows = cells("kakomimasu", {"tiles": ["Aa", "B."], "agents": [[[0, 0], [-1, -1]], [[0, 1], [1, 1]]]})
    assert grounds(rows) == [[SEATS[0], tint(SEATS[0])], [SEATS[1], PAPER]]
    assert on(rows) == [[SEATS[0], ""], [SEATS[1], SEATS[1]]]
    assert texts(rows) == [["1", ""], ["1", "2"]]


@pytest.mark.parametrize(("hidden", "first"), [(1, [PUYOS[1], None, None, PUYOS[5]]), (0, ["", None, None, ""])])
def test_fields_of_puyo_lie_side_by_side_without_the_hidden_row(hidden: int, first: Sequence[str | None]) -> None:
    rows = cells("puyo", {"fields": [[".", "1", "0"], [".", "5", "."]]}, hidden=hidden)
    assert on(rows)[0] == first
    assert on(rows)[-1] == [PUYOS[0], None, None, ""]
    assert {ground for row in grounds(rows) for ground in row} == {SUNK, None}


def test_towers_of_wondev_woman_are_darker_the_higher_and_units_hide_the_height() -> None:
    rows = cells("wondev_woman", {"rows": ["0.4", "123"], "units": [[[0, 0]], [[1, 1]]]})
    assert grounds(rows) == [
        [tint(STONE, 0), None, STONE],
        [tint(STONE, 0.25), tint(STONE, 0.5), tint(STONE, 0.75)],
    ]
    assert texts(rows) == [["1", None, "4"], ["1", "1", "3"]]
    assert on(rows) == [[SEATS[0], None, ""], ["", SEATS[1], ""]]


def test_nothing_is_drawn_of_units_that_are_off_the_board() -> None:
    rows = cells("wondev_woman", {"rows": ["00"], "units": [[[0, 0]], [[-1, -1]]]})
    assert on(rows) == [[SEATS[0], ""]]
