"""Positions for tests, recorded or drawn by hypothesis, in the forms of rules, plain reference and judge."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import strategies as st
from msgspec.structs import replace

from games.wondev_woman import League, State, rules, view
from games.wondev_woman.maps import DIAMOND, SQUARE
from games.wondev_woman.state import Position, batch
from tests.games.wondev_woman import plain

VECTORS = Path(__file__).parents[2] / "vectors/wondev_woman"
LEAGUES = range(4)

Request = dict[str, Any]


def vectors(name: str) -> list[dict[str, Any]]:
    """Return the lines of a vector file."""
    with gzip.open(VECTORS / f"{name}.jsonl.gz", "rt") as file:
        return [json.loads(line) for line in file]


def heights(rows: Sequence[str]) -> dict[tuple[int, int], int]:
    """Return the height of each cell."""
    return {(x, y): int(char) for y, row in enumerate(rows) for x, char in enumerate(row) if char != "."}


def board(league: int, rows: Sequence[str], units: Sequence[tuple[int, int]], **more: Any) -> plain.Board:
    """Return a board in the form of the plain reference; the first half of the units is the first seat's."""
    half = len(units) // 2
    return plain.Board(league, heights(rows), (tuple(units[:half]), tuple(units[half:])), **more)


def asked(request: Request) -> plain.Board:
    """Return the board of a question to the judge, in the form of the plain reference."""
    units = [(x, y) for x, y in request["units"]]
    state = {"points": tuple(request["scores"]), "out": tuple(map(bool, request["dead"])), "ply": request["player"]}
    return board(request["version"], request["rows"], units, **state)


def state_of(*boards: plain.Board) -> State:
    """Return boards of one league as a batch, with ``over`` False."""
    positions = [
        Position(1 + max(map(max, each.heights)), each.heights, each.units, (each.points[0], each.points[1]), each.seat)
        for each in boards
    ]
    state = batch(positions, League(boards[0].league))
    out = np.array([each.out for each in boards], np.bool_).T
    ply = np.array([each.ply for each in boards], np.int16)
    return rules.with_legal(replace(state, out=out, ply=ply))


def boards_of(state: State) -> list[plain.Board]:
    """Return the boards of a batch in the form of the plain reference."""
    return [
        board(
            state.league.number,
            view.rows(state, b),
            [place for seat in view.places(state, b) for place in seat],
            points=tuple(state.points[:, b].tolist()),
            out=tuple(state.out[:, b].tolist()),
            ply=int(state.ply[b]),
        )
        for b in range(state.boards)
    ]


@st.composite
def boards(draw: st.DrawFn, leagues: st.SearchStrategy[int], *, crowded: bool = False) -> plain.Board:
    """Any position of any league, reachable or not: holes anywhere, all heights, units on cells of height 0 to 3.

    Crowded: units stand near each other, so that pushes and what the fog hides are frequent.
    """
    league = draw(leagues)
    side = draw(st.integers(5, 7))
    cells = draw(
        st.sampled_from(
            [sorted(SQUARE), sorted(DIAMOND), [(x, y) for y in range(side) for x in range(side)]],
        )
    )
    height = st.sampled_from([0, 0, 1, 1, 2, 2, 3, 3, 3, 4, None])
    levels = {cell: drawn for cell in cells if (drawn := draw(height)) is not None}
    number = 2 * League(league).units
    middle = draw(st.sampled_from(cells))
    reach = 2 if crowded else 7
    near = [cell for cell in cells if max(abs(cell[0] - middle[0]), abs(cell[1] - middle[1])) <= reach]
    units = draw(st.lists(st.sampled_from(near), min_size=number, max_size=number, unique=True))
    levels |= {unit: draw(st.integers(0, 3)) for unit in units}
    sides = tuple(units[: number // 2]), tuple(units[number // 2 :])
    points = draw(st.tuples(st.integers(0, 3), st.integers(0, 3)))
    return plain.Board(league, levels, sides, points, ply=draw(st.integers(0, 399)))


def request_of(board: plain.Board) -> Request:
    """Return a board as a question to the judge, for the seat to move."""
    side = 1 + max(map(max, board.heights))
    return {
        "version": board.league,
        "rows": ["".join(str(board.heights.get((x, y), ".")) for x in range(side)) for y in range(side)],
        "units": [list(unit) for seat in board.units for unit in seat],
        "scores": list(board.points),
        "dead": [int(out) for out in board.out],
        "player": board.seat,
    }
