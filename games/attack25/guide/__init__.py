"""Drawings, conversation and numbers of the guide page on Attack 25."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from games.attack25 import protocol
from games.attack25.judge import judge
from games.attack25.panels import PANELS, pack, single
from games.attack25.rules import take_panels
from games.attack25.state import CHANCE, CHIPS, COLOURS, FAULTS_MAX, TAKES
from games.guide.conversation import Question, Script
from games.guide.drawing import BoardDrawing, Cell, Figure
from games.guide.material import Material

SIDE = 5
EMPTY = "." * PANELS
MIXED = "W.....BB....R............"
"""White owns panel 1, blue 7 and 8, red 13."""
NEARLY_FULL = "RRGGGRWWGBRWRBB.WRB..RR.."
"""Five panels are empty: the next round is the Attack Chance."""


def legal(board: str, colour: str) -> tuple[int, list[int]]:
    """Return the class and the numbers of the panels that a colour may take."""
    owned = {each: [n for n, owner in enumerate(board, 1) if owner == each] for each in COLOURS}
    answer = judge({"op": "legal", "board": owned})
    return answer["class"][colour], answer["legal"][colour]


def after_take(board: str, colour: str, panel: int) -> str:
    """Return the board after a colour has taken a panel.

    Raises:
        ValueError: the colour may not take it.
    """
    if panel not in legal(board, colour)[1]:
        raise ValueError(f"{colour} may not take {panel}.")
    flags = np.zeros((len(COLOURS), PANELS + 1, 1), np.bool_)
    for number, owner in enumerate(board, 1):
        flags[COLOURS.find(owner), number] = owner != "."
    mover = np.array([[each == colour] for each in COLOURS])
    return protocol.drawn(take_panels(pack(flags), pack(mover), single(np.array([panel]))), 0)


def _drawn(board: str, marked: Collection[int] = (), label: str = "") -> BoardDrawing:
    """Return the drawing of a board; empty panels have their number in the middle, owned ones in the corner."""
    cells = [
        Cell("neutral", f"{n}", marked=n in marked)
        if owner == "."
        else Cell(f"panel-{owner}", owner, f"{n}", marked=n in marked)
        for n, owner in enumerate(board, 1)
    ]
    rows = tuple(tuple(cells[start : start + SIDE]) for start in range(0, PANELS, SIDE))
    return BoardDrawing(rows, label, rulers=False)


def _changed(before: str, after: str) -> list[int]:
    return [n for n, (old, new) in enumerate(zip(before, after, strict=True), 1) if old != new]


def _take() -> Figure:
    after = after_take(MIXED, "W", 19)
    return Figure((_drawn(MIXED, [19]), _drawn(after, _changed(MIXED, after))))


def _classes() -> Figure:
    boards = [(EMPTY, "R"), (MIXED, "R"), (MIXED, "G"), (after_take(EMPTY, "R", 13), "R")]
    found = [(board, colour, *legal(board, colour)) for board, colour in boards]
    drawn = [_drawn(board, panels, f"{colour}: {number}") for board, colour, number, panels in found]
    return Figure(tuple(drawn), steps=False)


def _chance() -> Figure:
    after = after_take(NEARLY_FULL, "B", 16)
    emptied = f"{after[:12]}.{after[13:]}"
    return Figure((_drawn(NEARLY_FULL, [16]), _drawn(after, _changed(NEARLY_FULL, after)), _drawn(emptied, [13])))


FIGURES = {"numbers": lambda: Figure((_drawn(EMPTY),)), "take": _take, "classes": _classes, "chance": _chance}

ROUND = Question((("bid", 1), ("rows", 5), ("chips", 1), ("order", 1), ("last", 1)), answer="my_bid")
SCRIPT = Script(
    introduction=(("setup", 1),),
    shown={1: ROUND, 2: Question((("pick", 1),), answer="my_pick"), 3: ROUND},
    own=(("6",), ("13",), ("4",)),
    others=(("2",),),
    seed=0,
    players=len(COLOURS),
)

MATERIAL = Material(
    FIGURES,
    SCRIPT,
    {
        "first_cpu_ms": protocol.FIRST_CPU_MS,
        "cpu_ms": protocol.CPU_MS,
        "chips": CHIPS,
        "rounds": TAKES,
        "chance": CHANCE + 1,
        "faults_max": FAULTS_MAX,
    },
)
