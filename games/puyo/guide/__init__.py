"""Drawings, conversation and numbers of the guide page on Puyo Puyo."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import accumulate

import numpy as np

from games.guide.conversation import Part, Question, Script
from games.guide.drawing import BoardDrawing, Cell, Figure, board_of
from games.guide.material import Material
from games.puyo import chain, protocol, tsu
from games.puyo.field import COLUMNS, TSU, VISIBLE_ROWS, Field, read, rows
from games.puyo.placements import DOWN, LEFT, PLACEMENTS, RIGHT, SPAWN, UP, drop, reachable
from games.puyo.state import PAIRS, TICKS

HIDDEN_ROWS = TSU.rows - VISIBLE_ROWS
DEATH = (SPAWN, HIDDEN_ROWS)
"""Column and row, from the top, of the cell in which a puyo kills the seat."""
PAIR = (1, 2)
"""Colours of axis and child of the pair in the drawings."""
CHAIN = [".2....", ".12...", ".12...", "112..."]
GARBAGE = ["0.....", "110...", "110..0"]
HIDDEN = ["1.....", "1.....", "1.....", "1.....", *["2.....", "3....."] * 4, "2....."]
WAYS = [(0, 0, 0, 0, 12, 0), (0, 0, 0, 11, 12, 0), (0, 12, 0, 12, 0, 0), (0, 0, 0, 0, 13, 0)]
"""Heights of columns."""


def field_of(picture: Sequence[str]) -> Field:
    """Return the field (6, 1) whose lowest rows are given."""
    return read(TSU, ["." * COLUMNS] * (TSU.rows - len(picture)) + list(picture))[:, None]


def steps_of(picture: Sequence[str]) -> list[tuple[list[str], int]]:
    """Return rows and points after each step of the chain of a field, whose lowest rows are given."""
    field = field_of(picture)
    steps: list[tuple[list[str], int]] = []
    while (popped := chain.popping(TSU, field)).any():
        score = int(chain.points(TSU, popped, len(steps) + 1).score[0])
        field = chain.pop(TSU, field, popped)
        steps.append((rows(TSU, field[:, 0]), score))
    return steps


def placed(picture: Sequence[str], column: int, turn: int) -> list[str]:
    """Return the rows of a field after ``PAIR`` has come to rest, before anything pops."""
    after, _ = drop(TSU, field_of(picture), np.array(PAIR, np.uint8)[:, None], np.array([[column], [turn]]))
    return rows(TSU, after[:, 0])


def ways(heights: Sequence[int]) -> list[bool]:
    """Return for each column whether a pair can be placed upright on it, given the heights of the columns."""
    allowed = reachable(np.array(heights)[:, None])[:, 0]
    return [bool(allowed[PLACEMENTS.index((column, UP))]) for column in range(COLUMNS)]


def _cell(tile: str, at: tuple[int, int], *, marked: bool) -> Cell:
    ground = "hidden" if at[1] < HIDDEN_ROWS else "neutral"
    if tile == ".":
        return Cell(ground, "×" if at == DEATH else "", marked=marked)
    return Cell(ground, tile, piece=f"puyo-{tile}", marked=marked)


def _board(
    field: Sequence[str], shown: slice, label: str = "", marked: Collection[tuple[int, int]] = ()
) -> BoardDrawing:
    """Return the drawing of some of the 13 rows of a field."""
    first, _, _ = shown.indices(len(field))
    return board_of(field[shown], lambda tile, at: _cell(tile, at, marked=at in marked), label, top_row=first)


def _whole(picture: Sequence[str]) -> list[str]:
    return rows(TSU, field_of(picture)[:, 0])


def _turns() -> Figure:
    boards = [_board(placed([], 2, turn), slice(-2, None), f"2 {turn}") for turn in (UP, RIGHT, DOWN, LEFT)]
    return Figure(tuple(boards), steps=False)


def _split() -> Figure:
    before = ["..3...", "..3...", "..3..."]
    shown = slice(-4, None)
    return Figure((_board(_whole(before), shown), _board(placed(before, 2, RIGHT), shown, "2 1")))


def _resolved(picture: Sequence[str], shown: slice) -> Figure:
    """Return the drawings of a field before and after each step of its chain; the cells that pop next have a frame."""
    boards, label = [], ""
    for after, score in [*steps_of(picture), (None, 0)]:
        field = field_of(picture)
        left = rows(TSU, (field ^ chain.popping(TSU, field) & field)[:, 0])
        now = rows(TSU, field[:, 0])
        gone = {(x, y) for y, line in enumerate(now) for x, tile in enumerate(line) if tile != left[y][x]}
        boards.append(_board(now, shown, label, gone))
        if after:
            picture, label = after, f"+ {score}"
    return Figure(tuple(boards))


def _reach() -> Figure:
    boards = []
    for heights in WAYS:
        field = ["".join("0" if TSU.rows - y <= height else "." for height in heights) for y in range(TSU.rows)]
        marks = tuple(Cell("sign", "○" if way else "×") for way in ways(heights))
        board = _board(field, slice(0, 4))
        boards.append(BoardDrawing((*board.rows, marks), " ".join(map(str, heights)), rulers=False))
    return Figure(tuple(boards), steps=False)


FIGURES = {
    "field": lambda: Figure((_board(_whole([".0....", "22...1", "1144.3", "243133"]), slice(None)),)),
    "turns": _turns,
    "split": _split,
    "reach": _reach,
    "chain": lambda: _resolved(CHAIN, slice(-5, None)),
    "garbage": lambda: _resolved(GARBAGE, slice(-4, None)),
    "hidden_row": lambda: _resolved(HIDDEN, slice(0, 6)),
}

_HALF: tuple[Part, ...] = (("pairs", 3), ("numbers", 1), ("rows", TSU.rows))
TICK = Question((("tick", 1), *_HALF, ("opponent", 4 + TSU.rows)))
SCRIPT = Script(
    introduction=(("setup", 1),),
    shown={1: TICK, 6: TICK},
    own=(("0 1",), ("0 1",), ("2 1",), ("2 2",), ("1 1",), ("3 0",)),
    others=(("4 2",), ("2 0",), ("4 3",), ("5 0",), ("3 1",), ("5 0",)),
    seed=17,
)

_POINTS_OF_FOUR = [10 * chain.GROUP * max(1, int(power)) for power in TSU.chain_power[1:7]]
"""Points of the first steps of a chain in which each step pops one group of four."""

MATERIAL = Material(
    FIGURES,
    SCRIPT,
    {
        "first_cpu_ms": protocol.FIRST_CPU_MS,
        "cpu_ms": protocol.CPU_MS,
        "ticks": TICKS[TSU],
        "rate": tsu.RATE,
        "rates": ", ".join(map(str, tsu.RATES[1:])),
        "margin_start": tsu.MARGIN_START,
        "margin_ticks": tsu.MARGIN_TICKS,
        "all_clear": tsu.ALL_CLEAR,
        "fall_max": tsu.FALL_MAX,
        "pairs": PAIRS[TSU],
        "puyos_each": 2 * PAIRS[TSU] // TSU.colours,
        "placements": len(PLACEMENTS),
        "factor_max": chain.FACTOR_MAX,
        "chain_power": [(step, int(TSU.chain_power[step])) for step in range(1, 9)],
        "chain_power_max": int(TSU.chain_power[-1]),
        "chain_power_max_step": len(TSU.chain_power) - 1,
        "colour_bonus": [(colours, int(TSU.colour_bonus[colours])) for colours in range(1, TSU.colours + 1)],
        "chains": tuple(accumulate(_POINTS_OF_FOUR)),
        "group_bonus": [(size, int(TSU.group_bonus[size])) for size in range(chain.GROUP, len(TSU.group_bonus))],
    },
)
