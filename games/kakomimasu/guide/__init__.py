"""Drawings, conversation and numbers of the guide page on Kakomimasu."""

from __future__ import annotations

from collections.abc import Sequence

from core.game import JsonObject
from games.guide.conversation import Question, Script
from games.guide.drawing import BoardDrawing, Cell, Figure, Place, board_of
from games.guide.material import Material
from games.kakomimasu import boards, protocol
from games.kakomimasu.judge import judge
from games.kakomimasu.state import Kind

SEATS = "AB"
Order = tuple[Kind, int, int]
Agents = tuple[list[Place], list[Place]]
Orders = tuple[list[Order | None], list[Order | None]]
OFF: Place = (-1, -1)

RING = ["....", "AAA.", "A.A.", "AAA."]
VALUES = [3, 5, -2, 1, 4, 2, 6, 0, 1, -7, 3, 2, 5, 2, 4, -3]


def _cell(tile: str, value: int | None, agent: str) -> Cell:
    ground = "neutral"
    if tile != ".":
        ground = f"{'wall' if tile.isupper() else 'area'}-{SEATS.index(tile.upper())}"
    owner = "" if tile == "." else tile
    if agent:
        return Cell(ground, agent[1:], owner, f"seat-{SEATS.index(agent[0])}")
    if value is None:
        return Cell(ground, owner)
    return Cell(ground, f"{value}".replace("-", "−"), owner)


def _board(tiles: Sequence[str], agents: Agents, label: str, values: Sequence[int] | None = None) -> BoardDrawing:
    on = {place: f"{SEATS[seat]}{n}" for seat, places in enumerate(agents) for n, place in enumerate(places, 1)}

    def cell(tile: str, at: Place) -> Cell:
        return _cell(tile, values[at[1] * len(tiles[0]) + at[0]] if values else None, on.get(at, ""))

    return board_of(tiles, cell, label)


def _question(tiles: Sequence[str], values: Sequence[int]) -> JsonObject:
    cells = [[int(tile.isupper()), -1 if tile == "." else SEATS.index(tile.upper())] for row in tiles for tile in row]
    return {"w": len(tiles[0]), "h": len(tiles), "nplayer": 2, "points": list(values), "field": cells}


def _tiles(field: Sequence[Sequence[int]], width: int) -> list[str]:
    text = "".join("." if seat < 0 else SEATS[seat] if kind else SEATS[seat].lower() for kind, seat in field)
    return [text[start : start + width] for start in range(0, len(text), width)]


def _points(points: Sequence[Sequence[int]]) -> str:
    return " · ".join(
        f"{SEATS[seat]} {walls} + {areas} = {walls + areas}" for seat, (walls, areas) in enumerate(points)
    )


def filled(tiles: Sequence[str], values: Sequence[int] | None = None) -> tuple[list[str], str]:
    """Return the tiles after areas are enclosed, and the points of the seats as text.

    ``values`` are the points of the cells, row by row; None: each cell is worth 1.
    """
    size = len(tiles) * len(tiles[0])
    answer = judge({"op": "fill"} | _question(tiles, values or [1] * size))
    return _tiles(answer["field"], len(tiles[0])), _points(answer["points"])


def played(tiles: Sequence[str], agents: Agents, orders: Orders) -> tuple[BoardDrawing, BoardDrawing]:
    """Return the drawings of a board before a turn and after it, the second with the results of the orders.

    ``agents`` are the places of each seat's agents, ``orders`` has an order to each of them, or None.
    """
    count = len(agents[0])
    actions = [[[n, *order] for n, order in enumerate(seat) if order] for seat in orders]
    asked = _question(tiles, [1] * (len(tiles) * len(tiles[0])))
    turn = {"op": "turn", "nagent": count, "totalTurn": 30, "turn": 5, "agents": agents, "actions": actions}
    answer = judge(turn | asked)
    results = [
        f"{SEATS[seat]}{action[0] + 1}: {result}"
        for seat, sent in enumerate(actions)
        for action, result in zip(sent, answer["res"][seat], strict=True)
    ]
    after: Agents = ([(x, y) for x, y in answer["agents"][0]], [(x, y) for x, y in answer["agents"][1]])
    return _board(tiles, agents, ""), _board(_tiles(answer["field"], len(tiles[0])), after, " · ".join(results))


def _turn(tiles: Sequence[str], agents: Agents, orders: Orders) -> Figure:
    return Figure(played(tiles, agents, orders))


NOBODY: Agents = ([], [])


def _ring() -> Figure:
    after, points = filled(RING, VALUES)
    return Figure((_board(RING, NOBODY, "", VALUES), _board(after, NOBODY, points, VALUES)))


def _open_rings() -> Figure:
    rings = [
        ["..A..", ".A.A.", "A...A", ".A.A.", "..A.."],
        ["A..A.", "A..A.", "AAAA.", ".....", "....."],
        ["AAAA.", "A..A.", "AAAA.", ".....", "....."],
        ["AABB.", "A..B.", "AABB.", ".....", "....."],
    ]
    return Figure(tuple(_board(filled(ring)[0], NOBODY, f"{n}") for n, ring in enumerate(rings, 1)), steps=False)


def _nested() -> Figure:
    before = ["AAAAAA", "A....A", "A.BBBA", "A.B.BA", "A.BBBA", "AAAAAA"]
    closed = filled(before)[0]
    removed = [*closed[:2], "AaB.BA", *closed[3:]]
    return Figure(tuple(_board(tiles, NOBODY, "") for tiles in (before, closed, filled(removed)[0])))


FIGURES = {
    "orders": lambda: _turn(
        ["......", ".A..AB", "......"],
        ([(1, 1), (4, 1), OFF], [OFF, OFF, OFF]),
        ([(Kind.MOVE, 2, 2), (Kind.REMOVE, 5, 1), (Kind.PUT, 0, 0)], [None, None, None]),
    ),
    "same_target": lambda: _turn(["....", "A.B."], ([(0, 1)], [(2, 1)]), ([(Kind.MOVE, 1, 1)], [(Kind.MOVE, 1, 1)])),
    "train": lambda: _turn(
        ["AA..", "AA.."],
        ([(0, 0), (1, 0), (0, 1), (1, 1)], [OFF] * 4),
        ([(Kind.MOVE, 1, 0), (Kind.MOVE, 2, 0), (Kind.MOVE, 1, 1), (Kind.MOVE, 0, 1)], [None] * 4),
    ),
    "blocked": lambda: _turn(
        [".....", "AAB.."],
        ([(0, 1), (1, 1)], [(2, 1), OFF]),
        ([(Kind.MOVE, 1, 1), (Kind.MOVE, 2, 1)], [None, None]),
    ),
    "left_wall": lambda: _turn(["....", "AB.."], ([(0, 1)], [(1, 1)]), ([(Kind.REMOVE, 1, 1)], [(Kind.MOVE, 2, 1)])),
    "ring": _ring,
    "open_rings": _open_rings,
    "nested": _nested,
    "into_area": lambda: _turn(
        ["BBBBB", "BbbbB", "BbbbB", "BbbbA", "BBBBA"],
        ([(4, 4)], [(0, 0)]),
        ([(Kind.MOVE, 3, 3)], [None]),
    ),
}

TURN = Question((("turn", 1), ("points", 2), ("rows", 10), ("agents", 4), ("results", 1)))
SCRIPT = Script(
    introduction=(("setup", 1), ("values", 10)),
    shown={1: TURN, 2: TURN, 5: TURN},
    own=(
        ("PUT 3 3", "PUT 5 5"),
        ("MOVE 4 3", "MOVE 4 5"),
        ("MOVE 5 3", "MOVE 3 5"),
        ("MOVE 5 4", "MOVE 3 4"),
        ("MOVE 6 4", "MOVE 4 4"),
    ),
    others=(("PUT 7 4", "PUT 9 8"), ("NONE", "NONE")),
    seed=6,
    options={"agents": 2},
)

MATERIAL = Material(
    FIGURES,
    SCRIPT,
    {
        "first_cpu_ms": protocol.FIRST_CPU_MS,
        "cpu_ms": protocol.CPU_MS,
        "side_min": boards.SIDE_MIN,
        "side_max": boards.SIDE_MAX,
        "points_max": boards.POINTS_MAX,
        "agents_min": boards.AGENTS_MIN,
        "agents_max": boards.AGENTS_MAX,
        "turns_min": boards.TURNS_MIN,
        "turns_max": boards.TURNS_MAX,
    },
)
