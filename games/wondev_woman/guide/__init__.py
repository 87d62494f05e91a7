"""Drawings, conversation and numbers of the guide page on Wondev Woman."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from core.game import JsonObject
from games.guide.conversation import FIRST_LISTED, Question, Script
from games.guide.drawing import BoardDrawing, Cell, Figure, Place, board_of
from games.guide.material import Material
from games.wondev_woman import protocol
from games.wondev_woman.board import DIRECTIONS
from games.wondev_woman.judge import judge
from games.wondev_woman.state import PLIES_MAX

Units = Sequence[Place]
"""The places of the two units of the reader, then of the two of the opponent."""
HEIGHTS = ["0000.", "01230", "01140", "00130", ".0000"]
FLAT = ["00000", "00000", "00100", "00000", "00000"]


def legal(rows: Sequence[str], units: Units) -> JsonObject:
    """Return the legal actions of the first seat, and the lines of its question."""
    return judge({"cmd": "legal", "rows": list(rows), "units": list(units), "player": 0})


def applied(rows: Sequence[str], units: Units, action: str) -> JsonObject:
    """Return the position after an action of the first seat.

    Raises:
        ValueError: the action is not legal.
    """
    after = judge({"cmd": "apply", "rows": list(rows), "units": list(units), "player": 0, "action": action})
    if not after["ok"]:
        raise ValueError(f"{action} is not legal: {after['code']}.")
    return after


def _board(
    rows: Sequence[str], units: Sequence[Sequence[int]], label: str = "", marked: Collection[Place] = ()
) -> BoardDrawing:
    on = {(x, y): number for number, (x, y) in enumerate(units)}
    return board_of(rows, lambda tile, at: _cell(tile, on.get(at), marked=at in marked), label)


def _cell(tile: str, unit: int | None, *, marked: bool) -> Cell:
    if tile == ".":
        return Cell("hole")
    ground = f"height-{tile}"
    if unit is None:
        return Cell(ground, "×" if tile == "4" else tile, marked=marked)
    return Cell(ground, "AB"[unit // 2] + f"{unit % 2}", tile, f"seat-{unit // 2}", marked=marked)


def _acted(rows: Sequence[str], units: Units, action: str) -> Figure:
    after = applied(rows, units, action)
    score = "+ 1" if after["score_point"] else ""
    return Figure((_board(rows, units), _board(after["rows"], after["units"], score)))


def _steps() -> Figure:
    """Return a drawing in which the cells that the first unit may step to have a frame."""
    units = [(2, 2), (0, 3), (4, 4), (1, 0)]
    words = [line.split() for line in legal(HEIGHTS, units)["legal"]]
    moves = {DIRECTIONS[first] for kind, unit, first, _ in words if kind == "MOVE&BUILD" and unit == "0"}
    return Figure((_board(HEIGHTS, units, marked={(2 + dx, 2 + dy) for dx, dy in moves}),))


def _pushes() -> Figure:
    """Return a drawing in which the cells that the eastern unit may be pushed to have a frame."""
    rows = ["00000", "00010", "00100", "00020", "00000"]
    units = [(1, 2), (0, 0), (2, 2), (4, 4)]
    words = [line.split() for line in legal(rows, units)["legal"]]
    pushes = {DIRECTIONS[second] for kind, unit, first, second in words if kind == "PUSH&BUILD" and unit == "0"}
    return Figure((_board(rows, units, marked={(2 + dx, 2 + dy) for dx, dy in pushes}),))


def _fog() -> Figure:
    """Return drawings of a position, and of the units that the first seat sees in it."""
    units = [(1, 1), (4, 0), (2, 2), (4, 4)]
    sent = legal(FLAT, units)["input"][len(FLAT) : len(FLAT) + len(units)]
    seen = [tuple(map(int, line.split())) for line in sent]
    around = {(x + dx, y + dy) for x, y in units[:2] for dx, dy in DIRECTIONS.values()} - set(units[:2])
    return Figure((_board(FLAT, units, marked=around), _board(FLAT, seen, " · ".join(sent[2:]))))


FIGURES = {
    "move": lambda: _acted(
        ["00000", "01230", "00000", "00000", "00000"], [(2, 1), (0, 4), (4, 4), (4, 3)], "MOVE&BUILD 0 E S"
    ),
    "steps": _steps,
    "push": lambda: _acted(FLAT, [(1, 2), (0, 4), (2, 2), (4, 4)], "PUSH&BUILD 0 E NE"),
    "pushes": _pushes,
    "fog": _fog,
    "unseen": lambda: _acted(FLAT, [(1, 1), (0, 4), (3, 1), (4, 4)], "MOVE&BUILD 0 E E"),
}

SIZE, UNITS = 6, 2
TURN = Question((("rows", SIZE), ("mine", UNITS), ("theirs", UNITS), ("count", 1), ("actions", 0)))
SCRIPT = Script(
    introduction=(("size", 1), ("units", 1)),
    shown={1: TURN, 2: TURN},
    own=((FIRST_LISTED,), (FIRST_LISTED,)),
    others=((FIRST_LISTED,),),
    seed=5,
)

FACTS = {"first_cpu_ms": protocol.FIRST_CPU_MS, "cpu_ms": protocol.CPU_MS, "rounds": PLIES_MAX // 2}
MATERIAL = Material(FIGURES, SCRIPT, FACTS)
