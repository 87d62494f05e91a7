"""The rules of enclosure from 2020-09-03 to 2020-09-09 (``fillBase``), for comparison with the present ones.

An article of 2020-09-03 explains them. The present ones, those of ``fillArea`` in the project's core, are written as a
recursion in ``core.enclosure``. Both differ if rings of different seats are nested three deep or more. The code is
written for clarity and works board by board, not for playing millions of turns.

1. A seat claims every area that its walls enclose: flood from each cell that is no wall and not on the rim, in 8
   directions, through everything but the seat's own walls. If the flood does not leave the board, the seat claims all
   its cells, and those of its own walls that the flood touched.
2. In columns from left to right, each from the top: a cell that several seats claim goes to the seat whose claim has
   the smallest part that is 4-connected with this cell (of equals, to the lowest seat); all others lose that part.
   Neighbours are found by the index x + y * width, so that the end of a row is next to the start of the next one, which
   is a mistake of the original.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from core.enclosure import Plane, pack
from games.kakomimasu.state import WALL_BITS, State, wall_bit


def enclosed(state: State, cells: NDArray[np.uint8]) -> Plane:
    """Return (P, H + 2, W + 2, K): the cells that each seat encloses, without walls.

    ``cells`` (L, B) is the code of each cell; of ``state`` only sizes and numbers of boards and seats are used.
    """
    height, width = state.grid
    seats = len(state.agents)
    areas = np.zeros((seats, height + 2, width + 2, state.boards), np.bool_)
    walls = (cells & WALL_BITS).reshape(height + 2, width + 2, -1)
    for b, (w, h) in enumerate(zip(state.width.tolist(), state.height.tolist(), strict=True)):
        board = walls[1 : h + 1, 1 : w + 1, b].reshape(-1).tolist()
        claims = [_first_claims(board, w, h, wall_bit(seat)) for seat in range(seats)]
        for cell in (x + y * w for x in range(w) for y in range(h)):
            rivals = [seat for seat in range(seats) if cell in claims[seat]]
            if len(rivals) > 1:
                parts = {seat: _connected(claims[seat], cell, w) for seat in rivals}
                winner = min(rivals, key=lambda seat: len(parts[seat]))
                for seat in set(range(seats)) - {winner}:
                    claims[seat] -= parts[winner]
        for seat, claim in enumerate(claims):
            y, x = np.divmod(np.array([cell for cell in claim if not board[cell]], np.intp), w)
            areas[seat, y + 1, x + 1, b] = True
    return pack(areas)


def _first_claims(walls: list[int], width: int, height: int, own: int) -> set[int]:
    """Return the cells that the walls with the bit ``own`` enclose, and the walls that the floods touched (step 1)."""
    claims: set[int] = set()
    seen: set[int] = set()
    around = _around(width, height)
    for cell in (x + y * width for y in range(1, height - 1) for x in range(1, width - 1)):
        if not walls[cell] and cell not in seen:
            reached, closed = _flood(walls, around, own, cell)
            seen |= reached
            claims |= reached if closed else set()
    return claims


def _flood(walls: list[int], around: list[list[int]], own: int, start: int) -> tuple[set[int], bool]:
    """Return the cells that a flood from the cell ``start`` reaches, and whether it stays on the board.

    Own walls that it touches are among the cells. ``walls`` and ``around`` (``_around``) have an entry for each cell.
    """
    reached, todo, closed = {start}, [start], True
    while todo:
        inside = around[todo.pop()]
        closed &= len(inside) == 9
        new = [cell for cell in inside if cell not in reached]
        reached.update(new)
        todo += [cell for cell in new if walls[cell] != own]
    return reached, closed


@lru_cache(maxsize=64)
def _around(width: int, height: int) -> list[list[int]]:
    """Return for each cell of a board the cells around it and itself: nine, but fewer on the rim."""
    return [
        [u + v * width for u in range(x - 1, x + 2) for v in range(y - 1, y + 2) if 0 <= u < width and 0 <= v < height]
        for y in range(height)
        for x in range(width)
    ]


def _connected(claim: set[int], start: int, width: int) -> set[int]:
    """Return the part of a claim that is 4-connected with one of its cells, by index."""
    part, todo = {start}, [start]
    while todo:
        cell = todo.pop()
        new = {cell - 1, cell + 1, cell - width, cell + width} & claim - part
        part |= new
        todo += new
    return part
