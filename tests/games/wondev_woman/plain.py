"""The rules in plain Python, one board at a time; tests and benchmarks compare ``rules`` with them.

Written from the text of the rules for clarity, and sharing nothing with the arrays.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

Cell = tuple[int, int]

_RING: Final = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
"""The directions, clockwise."""
_TOP: Final = 3
_PLIES_MAX: Final = 400


@dataclass(frozen=True)
class Board:
    """A board between two turns."""

    league: int
    heights: Mapping[Cell, int]
    """The height of each cell that exists."""
    units: tuple[tuple[Cell, ...], ...]
    """The cells of the units of each seat."""
    points: tuple[int, ...] = (0, 0)
    out: tuple[bool, ...] = (False, False)
    ply: int = 0

    @property
    def seat(self) -> int:
        """The seat to move."""
        return self.ply % 2

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        if self.ply >= _PLIES_MAX or all(self.out) or (self.league == 0 and any(self.out)):
            return True
        if self.seat == 1:  # the round is not over
            return False
        if self.league == 0:
            return any(self.heights[unit] == _TOP for seat in self.units for unit in seat)
        return any(self.out[seat] and self.points[1 - seat] > self.points[seat] for seat in (0, 1))


def lines(board: Board, seat: int) -> list[str]:
    """Return the lines of a question to a seat, without the introduction."""
    side = 1 + max(max(cell) for cell in board.heights)
    rows = ["".join(str(board.heights.get((x, y), ".")) for x in range(side)) for y in range(side)]
    foes = [foe if _sees(board, seat, foe) else (-1, -1) for foe in board.units[1 - seat]]
    actions = legal(board, seat)
    return [*rows, *(f"{x} {y}" for x, y in (*board.units[seat], *foes)), str(len(actions)), *actions]


def legal(board: Board, seat: int) -> list[str]:
    """Return the legal actions of a seat, as if it were to move."""
    return sorted([*_moves(board, seat), *(_pushes(board, seat) if board.league >= 2 else ())])


def play(board: Board, action: str) -> Board:
    """Return the board after a legal action of the seat to move, or after ACCEPT-DEFEAT."""
    after = _give_up(board) if action == "ACCEPT-DEFEAT" else _act(board, action)
    after = replace(after, ply=board.ply + 1)
    return replace(after, ply=after.ply + 1) if after.out[after.seat] and not after.over else after


def _moves(board: Board, seat: int) -> Iterator[str]:
    everybody = board.units[0] + board.units[1]
    for index, start in enumerate(board.units[seat]):
        for first in _RING:
            target = _next(start, first)
            if not _stands(board, start, target) or target in everybody:
                continue
            for second in _RING:
                site = _next(target, second)
                in_the_way = site in everybody and site != start and _known(board, seat, site)
                if board.heights.get(site, 4) <= _TOP and not in_the_way:
                    yield f"MOVE&BUILD {index} {first} {second}"


def _pushes(board: Board, seat: int) -> Iterator[str]:
    everybody = board.units[0] + board.units[1]
    for index, start in enumerate(board.units[seat]):
        for at, first in enumerate(_RING):
            victim = _next(start, first)
            if victim not in board.units[1 - seat]:
                continue
            for second in (_RING[at - 1], first, _RING[(at + 1) % 8]):
                target = _next(victim, second)
                in_the_way = target in everybody and _known(board, seat, target)
                if _stands(board, victim, target) and not in_the_way:
                    yield f"PUSH&BUILD {index} {first} {second}"


def _act(board: Board, action: str) -> Board:
    kind, index, first, second = action.split()
    start = board.units[board.seat][int(index)]
    near = _next(start, first)
    far = _next(near, second)
    # A unit on the far cell must be hidden, or the action would not be legal; the cell just left is free.
    free = far == start or far not in board.units[0] + board.units[1]
    if kind == "PUSH&BUILD":
        return _build(_move(board, near, far), near) if free else board
    scored = board.heights[near] == _TOP
    points = tuple(points + (scored and seat == board.seat) for seat, points in enumerate(board.points))
    moved = replace(_move(board, start, near), points=points)
    return _build(moved, far) if free else moved


def _give_up(board: Board) -> Board:
    return replace(board, out=tuple(out or seat == board.seat for seat, out in enumerate(board.out)))


def _move(board: Board, start: Cell, target: Cell) -> Board:
    units = tuple(tuple(target if unit == start else unit for unit in seat) for seat in board.units)
    return replace(board, units=units)


def _build(board: Board, site: Cell) -> Board:
    return replace(board, heights={**board.heights, site: board.heights[site] + 1})


def _next(cell: Cell, direction: str) -> Cell:
    dx = ("E" in direction) - ("W" in direction)
    dy = ("S" in direction) - ("N" in direction)
    return cell[0] + dx, cell[1] + dy


def _stands(board: Board, start: Cell, target: Cell) -> bool:
    """Return whether a unit on ``start`` could step on ``target`` if that were free."""
    height = board.heights.get(target, 4)
    return height <= _TOP and height <= board.heights[start] + 1


def _known(board: Board, seat: int, cell: Cell) -> bool:
    """Return whether a unit on the cell would be known to the seat."""
    return cell in board.units[seat] or _sees(board, seat, cell)


def _sees(board: Board, seat: int, cell: Cell) -> bool:
    distances = (max(abs(x - cell[0]), abs(y - cell[1])) for x, y in board.units[seat])
    return board.league < 3 or min(distances) <= 1
