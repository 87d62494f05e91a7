"""The enclosure of 2020-09-03 to 2020-09-09 ("fillBase"), kept to be compared with the present one.

After the article of 2020-09-03 that explains it. It differs from ``core.enclosure`` only where rings of different
seats are nested three deep or more. Plain and board by board: it is a study, not a thing to play millions of turns by.

1. A seat claims every room that its walls close off: flood from each cell that is no wall and not on the rim, in 8
   directions, through everything but the seat's own walls; if the flood never leaves the board, all its cells are
   claimed and so are the seat's walls it touched.
2. Columns from left to right, each from the top: a cell that several seats claim goes to the one whose claim, as far
   as it is 4-connected with this cell, is the smallest (of equals, the lowest seat). All others lose that whole
   connected claim. Cells are neighbours by their flat index x + y * width, so the end of a row meets the start of the
   next: a slip of the original.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from core.enclosure import Plane, pack
from games.kakomimasu.state import WALL_BITS, State, wall_bit


def enclosed(state: State, cells: NDArray[np.uint8]) -> Plane:
    """Return (P, H + 2, W + 2, K): the cells that are no walls and that each seat claims in the end.

    Args:
        state: sizes of the boards.
        cells: (L, B), codes.
    """
    height, width = state.grid
    seats = len(state.agents)
    rooms = np.zeros((seats, height + 2, width + 2, state.boards), np.bool_)
    walls = (cells & WALL_BITS).reshape(height + 2, width + 2, -1)
    for b, (w, h) in enumerate(zip(state.width.tolist(), state.height.tolist(), strict=True)):
        board = walls[1 : h + 1, 1 : w + 1, b].reshape(-1).tolist()
        for seat, claim in enumerate(_claims(board, w, h, seats)):
            y, x = np.divmod(np.array([cell for cell in claim if not board[cell]], np.intp), w)
            rooms[seat, y + 1, x + 1, b] = True
    return pack(rooms)


def _claims(walls: list[int], width: int, height: int, seats: int) -> list[set[int]]:
    """Return the cells that each seat holds of a board, given each cell's wall bit."""
    claims = [_rooms(walls, width, height, wall_bit(seat)) for seat in range(seats)]
    for cell in (x + y * width for x in range(width) for y in range(height)):
        rivals = [seat for seat in range(seats) if cell in claims[seat]]
        if len(rivals) > 1:
            parts = {seat: _connected(claims[seat], cell, width) for seat in rivals}
            winner = min(rivals, key=lambda seat: len(parts[seat]))
            for seat in set(range(seats)) - {winner}:
                claims[seat] -= parts[winner]
    return claims


def _rooms(walls: list[int], width: int, height: int, own: int) -> set[int]:
    """Return all cells of rooms that the walls ``own`` close off, and those walls."""
    rooms: set[int] = set()
    seen: set[int] = set()
    around = _around(width, height)
    for cell in (x + y * width for y in range(1, height - 1) for x in range(1, width - 1)):
        if not walls[cell] and cell not in seen:
            room, closed = _flood(walls, around, own, cell)
            seen |= room
            rooms |= room if closed else set()
    return rooms


def _flood(walls: list[int], around: list[list[int]], own: int, start: int) -> tuple[set[int], bool]:
    """Return the cells that a flood reaches, walls ``own`` it touches included, and whether it stays on the board."""
    room, todo, closed = {start}, [start], True
    while todo:
        inside = around[todo.pop()]
        closed &= len(inside) == 9
        new = [cell for cell in inside if cell not in room]
        room.update(new)
        todo += [cell for cell in new if walls[cell] != own]
    return room, closed


@lru_cache(maxsize=64)  # boards: what a flood would look up in each of its steps again
def _around(width: int, height: int) -> list[list[int]]:
    """Return of each cell of a board the cells around it and itself: nine, but fewer on the rim."""
    return [
        [u + v * width for u in range(x - 1, x + 2) for v in range(y - 1, y + 2) if 0 <= u < width and 0 <= v < height]
        for y in range(height)
        for x in range(width)
    ]


def _connected(claim: set[int], start: int, width: int) -> set[int]:
    """Return the part of a claim that is 4-connected with a cell of it, by flat indices."""
    part, todo = {start}, [start]
    while todo:
        cell = todo.pop()
        new = {cell - 1, cell + 1, cell - width, cell + width} & claim - part
        part |= new
        todo += new
    return part
