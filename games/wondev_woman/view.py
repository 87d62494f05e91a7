"""Views of one board of a batch as plain Python values: rows, places, visible units, legal actions."""

from __future__ import annotations

from typing import Final

from core.batch import select_boards
from games.wondev_woman import rules
from games.wondev_woman.board import Cell, Planes, cell
from games.wondev_woman.state import State


def rows(state: State, b: int) -> list[str]:
    """Return the rows of the board: ``.`` where there is no cell, else its height."""
    # Read the bits of each plane as hexadecimal digits: the digit of a spot in their sum is the number of its planes.
    planes = state.cells[b].item(), *state.low[:, b].tolist()
    digits = sum(int(f"{plane:b}", 16) for plane in planes)
    heights = f"{digits:064x}"[::-1].translate(_HEIGHTS)
    side = int(state.size[b])
    return [heights[at : at + side] for at in range(9, 9 + 8 * side, 8)]


_HEIGHTS: Final = str.maketrans("543210", "01234.")


def places(state: State, b: int) -> list[list[Cell]]:
    """Return the cell of each unit of each seat."""
    return [[cell(number) for number in seat] for seat in state.units[..., b].tolist()]


def sees(state: State, own: list[Cell], place: Cell) -> bool:
    """Return whether the seat with the units ``own`` sees units at a place."""
    return not state.league.fog or any(max(abs(x - place[0]), abs(y - place[1])) <= 1 for x, y in own)


def words(state: State, b: int, seat: int) -> Planes:
    """Return (4, 1): words of the legal actions of a seat on board b, as if it were to move."""
    if rules.asked_on(state, b) == seat:
        return state.legal[:, b : b + 1]
    one = select_boards(state, [b])
    return rules.legal(one, one.units[seat], one.units[1 - seat])


def is_legal(state: State, b: int, seat: int, number: int) -> bool:
    """Return whether the action of this number is legal for a seat on board b, as if it were to move."""
    return bool(words(state, b, seat)[number >> 6].item() >> (number & 63) & 1)
