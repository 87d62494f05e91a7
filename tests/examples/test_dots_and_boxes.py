"""The example Dots and Boxes: its rules, its questions, its picture in text, and what it tells."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from core.game import BadOptions, Game, IllegalAnswer, JsonObject
from core.playout import play_turn
from deploy.settings import ROOT
from games.registry import game_named
from games.words import words_of
from tests.installing import games_installed, packages_found

FIRST_BOX = ["h 0 0", "h 1 0", "v 0 0", "v 0 1"]
"""The lines around the box at the top left, the last of which closes it."""


@pytest.fixture(scope="module")
def dots(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Game[Any]]:
    """The game, installed from the source tree."""
    with packages_found(ROOT / "examples" / "dots_and_boxes"):
        entries = {"dots_and_boxes": "banzuke_dots_and_boxes:DotsAndBoxes"}
        with games_installed(tmp_path_factory.mktemp("site"), entries):
            yield game_named("dots_and_boxes")


def seat_of(game: Game[Any], state: Any) -> int:
    """Return the only seat that is asked."""
    (seat,) = np.flatnonzero(game.to_move(state)[0]).tolist()
    return int(seat)


def drawn(game: Game[Any], state: Any, *lines: str) -> tuple[Any, list[int]]:
    """Return the state after lines, and who has drawn each of them."""
    seats = []
    for line in lines:
        seats.append(seat_of(game, state))
        state = play_turn(game, state, {seats[-1]: [line]})
    return state, seats


def texts(game: Game[Any], state: Any) -> list[str]:
    rows: list[str] = game.frame(state, 0)["rows"]
    return rows


def events(game: Game[Any], *lines: str, players: int = 2, size: int = 2) -> list[list[str]]:
    """Return what is told after each line, with the names Ann, Bob and Cid."""
    state = game.reset([1], players, {"size": size})
    setting, frames, told = game.setting(state, 0), [game.frame(state, 0)], []
    for line in lines:
        state, _ = drawn(game, state, line)
        frames.append(game.frame(state, 0))
        found = game.commentary(setting, frames)
        words = words_of("dots_and_boxes", "en")
        told.append([words.sentence(event, ("Ann", "Bob", "Cid")) for event in found])
    return told


@pytest.mark.parametrize("size", [2, 3, 9])
def test_a_board_begins_without_lines_and_all_of_them_can_be_drawn(dots: Game[Any], size: int) -> None:
    state = dots.reset([1], 2, {"size": size})
    (offered,) = dots.lines_offered(state, 0, 0)
    assert len(offered) == len(set(offered)) == 2 * size * (size + 1)
    assert texts(dots, state) == (["+  " * size + "+", " " * (3 * size)] * (size + 1))[:-1] or size
    assert dots.scores(state).tolist() == [[0, 0]]
    assert not dots.over(state)[0]


@pytest.mark.parametrize("size", [1, 10, 0, -3])
def test_a_size_that_cannot_be_played_is_refused(dots: Game[Any], size: int) -> None:
    with pytest.raises(BadOptions, match=f"The size is 2 to 9, not {size}"):
        dots.reset([1], 2, {"size": size})


@pytest.mark.parametrize("options", [{"colour": 1}, {"size": "many"}])
def test_unknown_options_are_refused(dots: Game[Any], options: JsonObject) -> None:
    with pytest.raises(BadOptions):
        dots.reset([1], 2, options)


def test_a_bot_reads_its_seat_once_then_the_boxes_and_the_free_lines(dots: Game[Any]) -> None:
    state = dots.reset([1], 3, {"size": 2})
    assert [dots.introduce(state, 0, seat) for seat in range(3)] == [["0 3 2"], ["1 3 2"], ["2 3 2"]]
    state, _ = drawn(dots, state, "h 0 0")
    lines = dots.observe(state, 0, 1)
    assert lines[:4] == ["0", "0", "0", "11"]
    assert len(lines) == 4 + 11
    assert "h 0 0" not in lines


def test_seats_draw_in_turn_and_who_closes_a_box_draws_again(dots: Game[Any]) -> None:
    state, seats = drawn(dots, dots.reset([1], 3, {"size": 3}), *FIRST_BOX, "h 0 1", "h 0 2")
    assert seats == [0, 1, 2, 0, 0, 1]
    assert dots.scores(state).tolist() == [[1, 0, 0]]


def test_one_line_may_close_two_boxes(dots: Game[Any]) -> None:
    rest = ["h 0 0", "h 1 0", "v 0 0", "h 0 1", "h 1 1", "v 0 2", "v 0 1"]
    state, seats = drawn(dots, dots.reset([1], 2, {"size": 2}), *rest)
    assert seats == [0, 1, 0, 1, 0, 1, 0]
    assert dots.scores(state).tolist() == [[2, 0]]
    assert dots.frame(state, 0)["chain"] == 2
    assert seat_of(dots, state) == 0


@pytest.mark.parametrize("answer", ["h 0 0", "h 3 0", "v 0 3", "x 0 0", "h 0", "h 0 0 0", "", "H 0 1", "h -1 0"])
def test_only_free_lines_of_the_board_can_be_drawn(dots: Game[Any], answer: str) -> None:
    state, _ = drawn(dots, dots.reset([1], 2, {"size": 2}), "h 0 0")
    with pytest.raises(IllegalAnswer):
        dots.parse(state, 0, 1, [answer])


def test_a_seat_that_draws_nothing_passes_the_turn_on(dots: Game[Any]) -> None:
    state = dots.reset([1], 2, {"size": 2})
    state = dots.step(state, dots.idle(state))
    assert seat_of(dots, state) == 1
    assert dots.frame(state, 0)["free"] == 12


def test_the_board_is_drawn_in_text_with_the_letters_of_owners(dots: Game[Any]) -> None:
    state, _ = drawn(dots, dots.reset([1], 2, {"size": 2}), *FIRST_BOX, "v 1 1")
    assert texts(dots, state) == ["+--+  +", "|B |   ", "+--+  +", "   |   ", "+  +  +"]
    frame = dots.frame(state, 0)
    assert (frame["seat"], frame["chain"], frame["free"], frame["turn"]) == (0, 0, 7, 5)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_match_ends_when_all_lines_are_drawn_and_each_box_has_an_owner(dots: Game[Any], players: int) -> None:
    rng, state = np.random.default_rng(players), dots.reset([1], players, {"size": 3})
    turns = 0
    while not dots.over(state)[0]:
        seat = seat_of(dots, state)
        state, turns = play_turn(dots, state, {seat: dots.random_answer(state, 0, seat, rng)}), turns + 1
    assert turns == 24
    assert dots.scores(state).sum() == 9
    assert not dots.to_move(state).any()
    (scores,), (ranks,) = dots.scores(state).tolist(), dots.ranks(state).tolist()
    assert [1 + sum(other > own for other in scores) for own in scores] == ranks


def test_boxes_are_told_when_a_row_of_them_has_ended(dots: Game[Any]) -> None:
    told = events(dots, *FIRST_BOX, "v 1 1", size=3)
    assert told[:3] == [[], [], []]
    assert [sentence for sentence in told[3] if "box" in sentence] == [], "who closes a box may go on"
    assert any("Bob" in sentence for sentence in told[3]), "a lead is told at once"
    (boxes,) = told[4]
    assert "Bob" in boxes
    assert "1" in boxes or "a box" in boxes


def test_the_last_row_is_told_at_the_end(dots: Game[Any]) -> None:
    lines = [f"{kind} {row} {column}" for kind in "hv" for row in range(3) for column in range(3)]
    board = {f"h {row} {column}" for row in range(3) for column in range(2)}
    board |= {f"v {row} {column}" for row in range(2) for column in range(3)}
    order = [line for line in lines if line in board]
    told = events(dots, *order)
    assert len(told) == 12
    assert told[-1], "the boxes of the last row"
    assert all("{" not in sentence for turn in told for sentence in turn)
