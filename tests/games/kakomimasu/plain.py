"""The rules in plain Python, written for clarity from their text alone; tests compare the fast rules with them.

Works on the judge's requests; no numpy, and nothing of the core.
"""

from __future__ import annotations

from itertools import product
from typing import Any

Cell = tuple[int, int]
NOBODY = -1
PUT, MOVE, REMOVE = 1, 3, 4
SUCCESS, CONFLICT, REVERT, ONLY_ONE_TURN, ILLEGAL_AGENT, ILLEGAL_ACTION = range(6)


class Board:
    """Walls and areas by cell; a cell in neither is neutral."""

    def __init__(self, request: dict[str, Any]) -> None:
        self.width, self.height, self.seats = request["w"], request["h"], range(request["nplayer"])
        self.cells = [(x, y) for y, x in product(range(self.height), range(self.width))]
        self.worth = dict(zip(self.cells, request["points"], strict=True))
        owned = [(cell, *what) for cell, what in zip(self.cells, request["field"], strict=True)]
        self.walls = {cell: player for cell, kind, player in owned if kind == 1}
        self.areas = {cell: player for cell, kind, player in owned if kind == 0 and player != NOBODY}

    def field(self) -> list[list[int]]:
        """Return the cells as in questions to the judge."""
        return [
            [1, self.walls[cell]] if cell in self.walls else [0, self.areas.get(cell, NOBODY)] for cell in self.cells
        ]

    def points(self) -> list[list[int]]:
        """Return the points of walls and area of each seat."""
        return [
            [
                sum(self.worth[cell] for cell, owner in self.walls.items() if owner == seat),
                sum(abs(self.worth[cell]) for cell, owner in self.areas.items() if owner == seat),
            ]
            for seat in self.seats
        ]

    def enclose(self) -> None:
        """Make cells area of the seat with the innermost ring round them, in place."""
        live = set(self.cells)
        while live:
            held = [live - self.flooded(seat, live) for seat in self.seats]
            holders = {cell: [seat for seat in self.seats if cell in held[seat]] for cell in live}
            for cell, seats in holders.items():
                if len(seats) == 1 and cell not in self.walls:
                    self.areas[cell] = seats[0]
            live = {cell for cell, seats in holders.items() if len(seats) > 1}

    def flooded(self, seat: int, live: set[Cell]) -> set[Cell]:
        """Return the cells that a flood from outside the board reaches; only the seat's walls in ``live`` stop it."""
        wet, todo = {(-1, -1)}, [(-1, -1)]
        while todo:
            for x, y in neighbours(todo.pop()):
                on_plan = -1 <= x <= self.width and -1 <= y <= self.height
                dam = self.walls.get((x, y)) == seat and (x, y) in live
                if on_plan and not dam and (x, y) not in wet:
                    wet.add((x, y))
                    todo.append((x, y))
        return wet


def neighbours(cell: Cell) -> list[Cell]:
    """Return the cells round a cell in 8 directions, also those off the board."""
    x, y = cell
    return [(x + dx, y + dy) for dx, dy in product((-1, 0, 1), repeat=2) if dx or dy]


class Order:
    """An order to one agent, and its result."""

    def __init__(self, seat: int, agent: int, kind: int, target: Cell) -> None:
        self.seat, self.agent, self.kind, self.target = seat, agent, kind, target
        self.result = SUCCESS

    @property
    def goes(self) -> bool:
        """Whether the order moves or puts the agent on its target, and no rule so far has refused the order."""
        return self.result == SUCCESS and self.kind in (PUT, MOVE)


class Turn:
    """One turn, rule by rule."""

    def __init__(self, request: dict[str, Any]) -> None:
        self.request, self.board = request, Board(request)
        self.orders = [
            Order(seat, agent, kind, (x, y))
            for seat, sent in enumerate(request["actions"])
            for agent, kind, x, y in sent
        ]
        self.places = {
            (seat, agent): (x, y) if x >= 0 else None
            for seat, places in enumerate(request["agents"])
            for agent, (x, y) in enumerate(places)
        }

    def play(self) -> None:
        """Play the turn, in place."""
        self.refuse_senders()
        self.refuse_illegal()
        for order in self.orders:
            owner = self.board.walls.get(order.target, order.seat)
            if order.result == SUCCESS and order.kind == MOVE and owner != order.seat:
                order.result = REVERT
        self.refuse_rivals()
        while self.revert_meetings():
            pass
        self.go()
        self.remove()
        self.board.enclose()

    def refuse_senders(self) -> None:
        """Refuse orders to agents that do not exist, and several orders to the same agent."""
        for order in self.orders:
            if (order.seat, order.agent) not in self.places:
                order.result = ILLEGAL_AGENT
            elif sum((other.seat, other.agent) == (order.seat, order.agent) for other in self.orders) > 1:
                order.result = ONLY_ONE_TURN

    def refuse_illegal(self) -> None:
        """Refuse orders that an agent may not carry out from its cell."""
        for order in self.orders:
            if order.result == SUCCESS:
                place = self.places[order.seat, order.agent]
                near = place is not None and order.target in neighbours(place)
                fits = {PUT: place is None, MOVE: near, REMOVE: near and order.target in self.board.walls}
                if order.target not in self.board.worth or not fits.get(order.kind):
                    order.result = ILLEGAL_ACTION

    def refuse_rivals(self) -> None:
        """Refuse all orders with the same target."""
        valid = [order for order in self.orders if order.result == SUCCESS]
        for order in valid:
            if sum(other.target == order.target for other in valid) > 1:
                order.result = CONFLICT

    def revert_meetings(self) -> bool:
        """Revert orders of agents that would meet another one; return whether there were any."""
        going = [order for order in self.orders if order.goes]
        targets = {(order.seat, order.agent): order.target for order in going}
        stands = [targets.get(agent, place) for agent, place in self.places.items()]
        met = [order for order in going if stands.count(order.target) > 1]
        for order in met:
            order.result = REVERT
        return bool(met)

    def go(self) -> None:
        """Move agents to their targets, and make these walls."""
        for order in self.orders:
            if order.goes and self.board.walls.get(order.target, order.seat) == order.seat:
                self.places[order.seat, order.agent] = order.target
                self.board.walls[order.target] = order.seat
                self.board.areas.pop(order.target, None)

    def remove(self) -> None:
        """Remove walls on which no agent stands."""
        for order in self.orders:
            if order.result == SUCCESS and order.kind == REMOVE:
                if order.target in self.places.values():
                    order.result = REVERT
                else:
                    del self.board.walls[order.target]


def judge(request: dict[str, Any]) -> dict[str, Any]:
    """Return the answer to a question, by the present rules."""
    if request["op"] == "fill":
        board = Board(request)
        board.enclose()
        return {"field": board.field(), "points": board.points()}
    turn = Turn(request)
    turn.play()
    last = request["turn"] == request["totalTurn"]
    seats = range(request["nplayer"])
    return {
        "field": turn.board.field(),
        "agents": [
            [list(place or (-1, -1)) for (owner, _), place in turn.places.items() if owner == seat] for seat in seats
        ],
        "res": [[order.result for order in turn.orders if order.seat == seat] for seat in seats],
        "points": turn.board.points(),
        "turn": request["turn"] + (not last),
        "status": "ended" if last else "gaming",
        "more": not last,
    }
