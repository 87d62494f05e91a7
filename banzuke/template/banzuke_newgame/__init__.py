"""New game: bots claim land on a board, cell by cell, and who has the most land wins.

Replace these rules by your own. What each method does, and what else there may be, is written in
``banzuke.core.simple.SimpleGame``; change ``rules_version`` when a match may come out differently than before.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from banzuke.sdk import BadOptions, Event, IllegalAnswer, JsonObject, SimpleGame, event

FREE, ROCK, LETTERS = ".", "#", "ABCD"
SIDES = ((1, 0), (0, 1), (-1, 0), (0, -1))


@dataclass
class State:
    """A board in play."""

    rows: list[list[str]]
    """A sign for each cell: free, a rock, or the letter of the seat that owns it."""
    players: int
    turns_left: int


class NewGame(SimpleGame[State]):
    """The rules: each turn, every bot claims a free cell beside its land; a cell that two claim becomes a rock."""

    name = "newgame"
    title = "New game"
    rules_version = "1"
    players = (2, 3, 4)
    options = {"size": 8, "turns": 30}
    rulesets = {"standard": {}, "small": {"size": 5}}

    def start(self, seed: int, players: int, options: Mapping[str, Any]) -> State:
        """Return an empty board with some rocks, and each seat in a corner; raise BadOptions for impossible sizes."""
        size = options["size"]
        if not 3 <= size <= 20 or not 1 <= options["turns"] <= 200:
            raise BadOptions("The size is 3 to 20, and there are 1 to 200 turns.")
        dice = random.Random(seed)
        rows = [[FREE] * size for _ in range(size)]
        for _ in range(size):
            rows[int(dice.random() * size)][int(dice.random() * size)] = ROCK
        corners = ((0, 0), (size - 1, size - 1), (size - 1, 0), (0, size - 1))
        for letter, (x, y) in zip(LETTERS[:players], corners, strict=False):
            rows[y][x] = letter
        return State(rows, players, options["turns"])

    def introduce(self, state: State, seat: int) -> Sequence[str]:
        """Tell a bot, once, its letter and the size of the board."""
        return [f"{LETTERS[seat]} {len(state.rows)}"]

    def ask(self, state: State, seat: int) -> Sequence[str] | None:
        """Return the board and a bot's legal answers; None, which asks nothing, if no free cell is beside its land."""
        answers = self.answers(state, seat)
        return [*map("".join, state.rows), str(len(answers)), *answers] if answers else None

    def answers(self, state: State, seat: int) -> Sequence[str]:
        """Return the free cells beside a seat's land, as ``x y``."""
        return [f"{x} {y}" for x, y in free_beside(state.rows, LETTERS[seat])]

    def parse(self, state: State, seat: int, lines: Sequence[str]) -> tuple[int, int]:
        """Return the cell that an answer names; text that ``int`` cannot read is an illegal answer, too."""
        x, y = map(int, lines[0].split(" "))
        if (x, y) not in free_beside(state.rows, LETTERS[seat]):
            raise IllegalAnswer("not-beside", cell=f"{x} {y}")
        return x, y

    def step(self, state: State, moves: Mapping[int, tuple[int, int]]) -> State:
        """Give each cell to who alone has claimed it."""
        claimed = list(moves.values())
        for seat, (x, y) in moves.items():
            state.rows[y][x] = LETTERS[seat] if claimed.count((x, y)) == 1 else ROCK
        state.turns_left -= 1
        return state

    def over(self, state: State) -> bool:
        """Return whether no turn is left, or nobody can claim anything."""
        return state.turns_left == 0 or not any(free_beside(state.rows, letter) for letter in LETTERS[: state.players])

    def scores(self, state: State) -> Sequence[float]:
        """Return the number of cells of each seat."""
        board = "".join(map("".join, state.rows))
        return [board.count(letter) for letter in LETTERS[: state.players]]

    def frame(self, state: State) -> JsonObject:
        """Return what spectators see: ``rows`` is the text board."""
        return {"rows": ["".join(row) for row in state.rows]}

    def commentary(self, before: JsonObject, after: JsonObject) -> list[Event]:
        """Return the events of a turn, from the frames before and after it; words/en.ftl has the sentences."""
        signs = zip("".join(before["rows"]), "".join(after["rows"]), strict=True)
        clashes = list(signs).count((FREE, ROCK))
        events = [event(after, "clash", None, cells=clashes)] if clashes else []
        for seat, letter in enumerate(LETTERS[: len(after["scores"])]):
            if free_beside(before["rows"], letter) and not free_beside(after["rows"], letter):
                events.append(event(after, "stuck", seat, cells=after["scores"][seat]))
        return events


def free_beside(rows: Sequence[Sequence[str]], letter: str) -> list[tuple[int, int]]:
    """Return column and row of the free cells beside a seat's land."""
    size = range(len(rows))
    return [
        (x, y)
        for y in size
        for x in size
        if rows[y][x] == FREE
        and any(x + i in size and y + j in size and rows[y + j][x + i] == letter for i, j in SIDES)
    ]
