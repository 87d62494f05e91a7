"""Drawings, conversation and numbers of the guide page on Back to the Code."""

from __future__ import annotations

from collections.abc import Sequence

from core.game import JsonObject
from games.back_to_the_code import ROUNDS, Options, protocol
from games.back_to_the_code.judge import judge
from games.back_to_the_code.rules import IDLE_ROUNDS
from games.back_to_the_code.state import BACK_MAX
from games.guide.conversation import Question, Script
from games.guide.drawing import BoardDrawing, Cell, Figure, Place, board_of
from games.guide.material import Material

SEATS = "AB"


def states(size: Place, starts: Sequence[Place], *rounds: str) -> list[JsonObject]:
    """Play a small match of two seats; a round is given as the lines of both, separated by ``|``.

    ``size`` is W and H; ``starts`` has the cell on which each seat starts.

    Returns:
        The states at the start and after each round, see ``games.back_to_the_code.judge``.

    Raises:
        ValueError: a line puts its seat out of the match.
    """
    lines = [list(map(str.strip, each.split("|"))) for each in rounds]
    width, height = size
    found = judge({"w": width, "h": height, "n": 2, "max": 0, "starts": list(starts), "rounds": lines})["states"]
    if lost := [reason for state in found[1:] for reason in state["lost"] if reason]:
        raise ValueError(f"The example is no match: {lost[0]}.")
    return list(found)


def _board(state: JsonObject, label: str = "") -> BoardDrawing:
    on: dict[Place, str] = {}
    for seat, (x, y, *_) in enumerate(state["players"]):
        on[x, y] = on.get((x, y), "") + SEATS[seat]
    return board_of(state["grid"], lambda tile, at: _cell(tile, on.get(at, "")), label)


def _cell(tile: str, players: str) -> Cell:
    ground, owner = ("neutral", "") if tile == "." else (f"wall-{tile}", SEATS[int(tile)])
    if len(players) == 1:
        return Cell(ground, players, owner, f"seat-{SEATS.index(players)}")
    return Cell(ground, players or owner)


def _numbered(states: Sequence[JsonObject], *, steps: bool = True) -> Figure:
    return Figure(tuple(_board(state, f"{number}") for number, state in enumerate(states, 1)), steps)


CIRCLE = ["3 1", "4 1", "4 2", "4 3", "3 3", "2 3"]
"""Steps from 2 1 round the cell 3 2; one more step, to 2 2, closes the ring."""


def _ring() -> Figure:
    played = states((6, 5), [(2, 1), (0, 0)], *(f"{cell} | 0 0" for cell in [*CIRCLE, "2 2"]))
    return Figure(tuple(_board(state, f"A {state['scores'][0]}") for state in played[-2:]))


def _open_rings() -> Figure:
    corner = states((6, 5), [(2, 2), (0, 4)], *(f"{cell} | 0 4" for cell in ["2 1", *CIRCLE[:5]]))
    rim = states((6, 5), [(1, 0), (0, 4)], *(f"{cell} | 0 4" for cell in ["1 1", "1 2", "2 2", "3 2", "3 1", "3 0"]))
    wide = ["1 0", "2 0", "3 0", "4 0", "4 1", "4 2", "4 3", "3 3", "2 3", "1 3", "0 3", "0 2", "0 1"]
    other = states((6, 5), [(0, 0), (2, 1)], *(f"{cell} | 2 1" for cell in wide))
    return _numbered([corner[-1], rim[-1], other[-1]], steps=False)


def _back() -> Figure:
    played = states(
        (6, 3), [(0, 0), (5, 2)], "1 0 | 4 2", "2 0 | 3 2", "3 0 | 2 2", "BACK 2 | 1 2", "1 0 | 4 2", "1 1 | 4 1"
    )
    shown = [played[3], played[4], played[6]]
    return Figure(tuple(_board(state, f"{state['completedRounds'] + 1}") for state in shown))


FIGURES = {
    "steps": lambda: _numbered(states((5, 3), [(0, 0), (4, 2)], *["2 1 | 4 2"] * 3)),
    "meet": lambda: _numbered(states((5, 2), [(1, 0), (3, 0)], "2 0 | 2 0", "2 0 | 2 1")),
    "ring": _ring,
    "open_rings": _open_rings,
    "back": _back,
}

ROUND = Question((("round", 1), ("me", 1), ("opponent", 1), ("rows", Options().height)))
SCRIPT = Script(
    introduction=(("opponents", 1),),
    shown={1: ROUND, 2: ROUND},
    own=(("17 10",), ("17 10 to the middle",)),
    others=(("0 0",),),
    seed=0,
)

MATERIAL = Material(
    FIGURES,
    SCRIPT,
    {
        "first_cpu_ms": protocol.FIRST_CPU_MS,
        "cpu_ms": protocol.CPU_MS,
        "announced_cpu_ms": protocol.CPU_MS * 2 // 3,
        "width": Options().width,
        "height": Options().height,
        "rounds": ROUNDS[2],
        "rounds_of_three": ROUNDS[3],
        "rounds_of_four": ROUNDS[4],
        "back_max": BACK_MAX,
        "idle_rounds": IDLE_ROUNDS,
    },
)
