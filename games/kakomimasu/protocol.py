"""The protocol between referee and bot: lines of text, one item each.

Once, before the first turn: ``seat players width height agents turns``, then the rows of points.

Each turn: the turn's number; for each seat ``wallPoint areaPoint``; the rows of tiles (``.`` neutral, ``A`` to ``D``
wall of seat 0 to 3, ``a`` to ``d`` area); for each agent of each seat ``x y``, or -1 -1 while it is off the board; the
results of the bot's own orders of the last turn, ``-`` if there were none.

Answer, a line for each agent: ``PUT x y``, ``MOVE x y``, ``REMOVE x y`` or ``NONE``. After a space, any message may
follow; it is shown nowhere, but is part of the replay, like all answers.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from core.game import IllegalAnswer, quoted
from games.kakomimasu.state import Kind, Result, State

FIRST_CPU_MS = 1_000
"""CPU time for the first answer."""
CPU_MS = 100
"""CPU time for every further answer."""

_ORDER = re.compile(r"(?:(PUT|MOVE|REMOVE) (-?[0-9]{1,9}) (-?[0-9]{1,9})|NONE)(?: .*)?", re.DOTALL)
_KINDS = {kind.name: int(kind) for kind in Kind}
"""Plain numbers by name: an enumeration takes several times as long, here and in an array."""
_NONE = _KINDS["NONE"], -1, -1
_NO_ORDER = int(Result.NO_ORDER)

_TILES = np.full(256, ord("?"), np.uint8)
"""The character of a cell for each code."""
_TILES[[0, 1, 2, 4, 8, 16, 32, 64, 128]] = np.frombuffer(b".ABCDabcd", np.uint8)


def introduction(state: State, b: int, seat: int) -> list[str]:
    """Return the lines that a bot reads before the first turn."""
    points = _rows(state.points, state, b)
    facts = seat, len(state.agents), state.width[b], state.height[b], state.agent_count[b], state.turns[b]
    return [_joined(facts), *map(_joined, points.tolist())]


def observation(state: State, b: int, seat: int) -> list[str]:
    """Return the lines of a question."""
    codes = results(state, b)[seat]
    return [*_public(state, b), "-" if codes.count(_NO_ORDER) == len(codes) else _joined(codes)]


@lru_cache(maxsize=1)  # all seats are asked with the same lines
def _public(state: State, b: int) -> list[str]:
    """Return the lines that are the same for all seats."""
    return [
        str(min(int(state.played[b]) + 1, int(state.turns[b]))),  # ``state.turn`` takes several times as long
        *(f"{walls} {areas}" for walls, areas in state.scores[..., b].tolist()),
        *tiles(state, b),
        *(f"{x} {y}" for seat in agents(state, b) for x, y in seat),
    ]


def tiles(state: State, b: int) -> list[str]:
    """Return the rows of tiles."""
    return list(_tiles(state, b))


@lru_cache(maxsize=1)  # questions and frame of a turn use the same text
def _tiles(state: State, b: int) -> tuple[str, ...]:
    text = _TILES[_rows(state.cells, state, b)].tobytes().decode()
    width = int(state.width[b])
    return tuple([text[start : start + width] for start in range(0, len(text), width)])


def points(state: State, b: int) -> list[list[int]]:
    """Return the rows of points."""
    rows: list[list[int]] = _rows(state.points, state, b).tolist()
    return rows


def agents(state: State, b: int) -> list[list[list[int]]]:
    """Return [x, y] of each agent of each seat; [-1, -1] if it is off the board."""
    stride = state.grid[1] + 2  # for a few agents, plain Python is faster than ``coordinates``
    placed = state.agents[:, : state.agent_count[b], b].tolist()
    return [[[spot % stride - 1, spot // stride - 1] for spot in seat] for seat in placed]


def results(state: State, b: int) -> list[list[int]]:
    """Return the number of the ``Result`` of each agent of each seat."""
    codes: list[list[int]] = state.results[:, : state.agent_count[b], b].tolist()
    return codes


def parse(state: State, b: int, seat: int, lines: Sequence[str]) -> NDArray[np.int16]:
    """Return the orders (A, 3) of an answer: kind, x, y. Coordinates off the board become -1 -1.

    Raises:
        IllegalAnswer: a line is not an order, or there are not as many lines as agents.
    """
    expected = int(state.agent_count[b])
    if len(lines) != expected:
        raise IllegalAnswer("line_each", count=len(lines), agents=expected)
    width, height = int(state.width[b]), int(state.height[b])
    orders = np.zeros((state.agents.shape[1], 3), np.int16)
    orders[:expected] = [_order(line, width, height) or _refuse(line, agent) for agent, line in enumerate(lines, 1)]
    return orders


@lru_cache(maxsize=1_024)  # few different orders are possible on a board
def _order(line: str, width: int, height: int) -> tuple[int, int, int] | None:
    """Return kind, x and y of an order; None if the line is not an order."""
    match = _ORDER.fullmatch(line)
    if match is None:
        return None
    if match[1] is None:
        return _NONE
    x, y = int(match[2]), int(match[3])
    on_board = 0 <= x < width and 0 <= y < height
    return _KINDS[match[1]], *((x, y) if on_board else (-1, -1))


def _refuse(line: str, agent: int) -> NoReturn:
    raise IllegalAnswer("no_order", line=agent, answer=quoted(line))


def _rows(spots: NDArray[np.generic], state: State, b: int) -> NDArray[np.generic]:
    """Return the values (height, width) of one board from an array (L, B)."""
    height, width = state.grid
    grid = spots[:, b].reshape(height + 2, width + 2)
    return grid[1 : state.height[b] + 1, 1 : state.width[b] + 1]


def _joined(items: Sequence[object]) -> str:
    return " ".join(map(str, items))
