"""The rules of the game. Run: pytest."""

from __future__ import annotations

import pytest
from banzuke_newgame import NewGame, State

from banzuke.sdk import IllegalAnswer
from banzuke.testing import check_game

GAME = NewGame()


def board(*rows: str) -> State:
    """Return a board of two players in play."""
    return State([list(row) for row in rows], players=2, turns_left=5)


def test_it_is_in_order() -> None:
    check_game("newgame")


def test_a_cell_that_two_claim_becomes_a_rock() -> None:
    state = GAME.step(board("A.B", "...", "..."), {0: (1, 0), 1: (1, 0)})
    assert GAME.frame(state)["rows"] == ["A#B", "...", "..."]
    assert GAME.scores(state) == [1, 1]


def test_land_grows_from_cell_to_cell() -> None:
    assert GAME.parse(board("A..", "...", "..B"), 0, ["1 0"]) == (1, 0)
    with pytest.raises(IllegalAnswer):
        GAME.parse(board("A..", "...", "..B"), 0, ["2 0"])
