"""Dots and Boxes: who draws the fourth side of a box gets it, and draws once more."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from banzuke.sdk import BadOptions, Event, JsonObject, SimpleGame, event, lead_changed

Line = tuple[str, int, int]
"""``h`` or ``v`` (horizontal or vertical), row and column; a box has lines h and v of its own row and column."""
State = dict[str, Any]


class DotsAndBoxes(SimpleGame[State]):
    """A state has the free lines, the owners of boxes by row and column, the seat to move and its boxes in a row."""

    name = "dots_and_boxes"
    title = "Dots and Boxes"
    players = (2, 3, 4)
    options = {"size": 5}
    rulesets = {"standard": {}, "small": {"size": 3}}

    def start(self, seed: int, players: int, options: Mapping[str, Any]) -> State:
        """Return a board of size * size boxes without lines.

        Raises:
            BadOptions: the size is not 2 to 9.
        """
        size = options["size"]
        if not 2 <= size <= 9:
            raise BadOptions(f"The size is 2 to 9, not {size}.")
        free = [("h", row, column) for row in range(size + 1) for column in range(size)]
        free += [("v", row, column) for row in range(size) for column in range(size + 1)]
        return {"free": free, "owners": [[-1] * size for _ in range(size)], "seat": 0, "chain": 0, "players": players}

    def introduce(self, state: State, seat: int) -> list[str]:
        """Return the seat, the number of players, and the size."""
        return [f"{seat} {state['players']} {len(state['owners'])}"]

    def ask(self, state: State, seat: int) -> list[str] | None:
        """Return the numbers of boxes of each seat, the number of free lines, and these; None if not to move."""
        if seat != state["seat"]:
            return None
        answers = self.answers(state, seat)
        return [*map(str, self.scores(state)), str(len(answers)), *answers]

    def answers(self, state: State, seat: int) -> list[str]:
        """Return the free lines."""
        return [" ".join(map(str, line)) for line in state["free"]]

    def step(self, state: State, moves: Mapping[int, str]) -> State:
        """Return the state after a line is drawn; a seat that completes no box, or draws no line, ends its turn."""
        boxes = 0
        for seat, answer in moves.items():
            kind, row, column = answer.split()
            line = (kind, int(row), int(column))
            state["free"].remove(line)
            for row, column in beside(line, len(state["owners"])):
                if not any(side in state["free"] for side in sides(row, column)):
                    state["owners"][row][column] = seat
                    boxes += 1
        state["chain"] += boxes
        if not boxes:
            state["seat"], state["chain"] = (state["seat"] + 1) % state["players"], 0
        return state

    def over(self, state: State) -> bool:
        """Return whether all lines are drawn."""
        return not state["free"]

    def scores(self, state: State) -> list[int]:
        """Return the number of boxes of each seat."""
        owned = [owner for row in state["owners"] for owner in row]
        return [owned.count(seat) for seat in range(state["players"])]

    def frame(self, state: State) -> JsonObject:
        """Return the board as text, a letter in each box that is taken."""
        size, rows = len(state["owners"]), []
        for row in range(size + 1):
            drawn = ["  " if ("h", row, column) in state["free"] else "--" for column in range(size)]
            rows.append("+" + "+".join(drawn) + "+")
            if row < size:
                letters = [self.seat_letters[owner] if owner >= 0 else " " for owner in state["owners"][row]] + [""]
                drawn = [" " if ("v", row, column) in state["free"] else "|" for column in range(size + 1)]
                rows.append(" ".join(bar + letter for bar, letter in zip(drawn, letters, strict=True)))
        return {"rows": rows, "seat": state["seat"], "chain": state["chain"], "free": len(state["free"])}

    def commentary(self, before: JsonObject, after: JsonObject) -> list[Event]:
        """Return the events of a turn: boxes taken in a row, once the row has ended, and a new lead."""
        events = []
        chain = before["chain"] if after["seat"] != before["seat"] else after["chain"] if not after["free"] else 0
        if chain:
            events.append(event(after, "boxes", before["seat"], count=chain))
        leads = lead_changed(before["scores"], after["scores"])
        if leads is not None:
            events.append(event(after, "lead", leads))
        return events


def sides(row: int, column: int) -> list[Line]:
    """Return the four lines around a box."""
    return [("h", row, column), ("h", row + 1, column), ("v", row, column), ("v", row, column + 1)]


def beside(line: Line, size: int) -> list[tuple[int, int]]:
    """Return the one or two boxes beside a line."""
    kind, row, column = line
    other = (row - 1, column) if kind == "h" else (row, column - 1)
    return [box for box in ((row, column), other) if 0 <= box[0] < size and 0 <= box[1] < size]
