"""The rules in plain Python, written for clarity from their text alone; tests compare the fast rules with them.

One board, no numpy, and nothing shared with the fast rules: the tests hold both to the same states, and the benchmark
tells how many times as fast they are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

Cell = tuple[int, int]
Order = Cell | int | str
"""A cell to go towards, or the number of rounds of a BACK, or the reason why the seat goes out of the match."""

BACK_MAX = 25
IDLE_ROUNDS = 25


class Player:
    """A seat: its cell and its number of cells after each completed round."""

    def __init__(self, start: Cell) -> None:
        self.trail = [start]
        self.counts: list[int] = []
        self.back = 1
        self.out = False

    def return_to(self, round_: int) -> None:
        """Forget all later rounds."""
        del self.trail[round_ + 1 :], self.counts[round_ + 1 :]


class Match:
    """A match, round by round."""

    def __init__(self, width: int, height: int, starts: Sequence[Cell], limit: int) -> None:
        self.width, self.height, self.limit = width, height, limit
        self.players = [Player(start) for start in starts]
        self.owners: dict[Cell, tuple[Player, int]] = {}
        """Owner, and round in which it got the cell, of each owned cell."""
        self.completed = self.played = self.acted = 0
        self.settled = False
        self.over: str | None = None
        self._own()

    def play(self, orders: Sequence[Order | None]) -> None:
        """Play a round; orders of players that are out are ignored."""
        undone = sum(self._obey(player, order) for player, order in zip(self.players, orders, strict=True))
        undone = min(undone, self.completed)
        self.completed += 1
        self._own()
        self.played += 1
        if undone:
            self._return_to(self.completed - 1 - undone)
        self._judge()

    def _obey(self, player: Player, order: Order | None) -> int:
        """Carry out an order; return how many rounds it asks to undo."""
        if player.out:
            return 0
        x, y = player.trail[-1]
        if isinstance(order, tuple):
            if order[0] != x:
                x += 1 if order[0] > x else -1
            elif order[1] != y:
                y += 1 if order[1] > y else -1
        if (x, y) != player.trail[-1] or isinstance(order, int):
            self.acted = self.played
        player.out = isinstance(order, str)
        player.trail.append((x, y))
        if not isinstance(order, int):
            return 0
        player.back -= 1
        return order

    def _own(self) -> None:
        living = [player for player in self.players if not player.out]
        stands = [player.trail[-1] for player in living]
        for player in living:
            if player.trail[-1] not in self.owners and stands.count(player.trail[-1]) == 1:
                self.owners[player.trail[-1]] = player, self.completed
        for player in living:
            self._fill(player)
        owners = [owner for owner, _ in self.owners.values()]
        for player in self.players:
            player.counts.append(owners.count(player))

    def _fill(self, player: Player) -> None:
        x, y = player.trail[-1]
        beside = {(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)}
        if beside.isdisjoint(player.trail[: max(0, self.completed - 1)]):
            return
        for cell in self._neighbours((x, y)):
            if cell not in self.owners:
                for filled in self._zone(cell, player):
                    self.owners[filled] = player, self.completed

    def _zone(self, start: Cell, player: Player) -> set[Cell]:
        """Return the neutral cells connected with this one; none if they reach the rim or another player's cell."""
        zone, todo = {start}, [start]
        while todo:
            x, y = todo.pop()
            if x in (0, self.width - 1) or y in (0, self.height - 1):
                return set()
            for cell in self._neighbours((x, y)):
                if cell in self.owners:
                    if self.owners[cell][0] is not player:
                        return set()
                elif cell not in zone:
                    zone.add(cell)
                    todo.append(cell)
        return zone

    def _neighbours(self, cell: Cell) -> list[Cell]:
        x, y = cell
        return [
            (u, v)
            for v in range(max(0, y - 1), min(self.height, y + 2))
            for u in range(max(0, x - 1), min(self.width, x + 2))
            if (u, v) != cell
        ]

    def _return_to(self, round_: int) -> None:
        self.completed = round_
        self.owners = {cell: owned for cell, owned in self.owners.items() if owned[1] <= round_}
        for player in self.players:
            player.return_to(round_)

    def _judge(self) -> None:
        if self.settled:
            self.over = "EndOfGameDetected"
        elif self.played - self.acted > IDLE_ROUNDS:
            self.over = "inactivityDetected"
        elif all(player.out for player in self.players):
            self.over = "noPlayerLeft"
        elif self.completed >= self.limit:
            self.over = "maxRoundsCountReached"
        self.settled = self._is_settled()

    def _is_settled(self) -> bool:
        earliest = self.completed - BACK_MAX * sum(player.back for player in self.players if not player.out)
        if earliest < 0:
            return False
        free = self.width * self.height - sum(player.counts[earliest] for player in self.players)
        potentials = []
        for player in self.players:
            least = player.counts[earliest]
            potentials.append((player.counts[self.completed] if player.out else least + free, least))
        potentials.sort(reverse=True)
        return all(
            (better[0] == better[1] and worse[0] == worse[1]) or worse[0] < better[1]
            for better, worse in pairwise(potentials)
        )

    def seats(self) -> list[list[int]]:
        """Return x, y, number of BACKs left and whether it is out, for each seat."""
        return [[*player.trail[-1], player.back, int(player.out)] for player in self.players]

    def grid(self, numbers: Sequence[int]) -> list[str]:
        """Return the rows of the grid, with a number for each seat."""
        characters = {cell: str(numbers[self.players.index(owner)]) for cell, (owner, _) in self.owners.items()}
        return ["".join(characters.get((x, y), ".") for x in range(self.width)) for y in range(self.height)]

    def observation(self, seat: int) -> list[str]:
        """Return the lines that a seat reads before a round."""
        numbers = list(range(len(self.players)))
        numbers[0], numbers[seat] = seat, 0
        lines = [f"{x} {y} {back}" if not out else "-1 -1 0" for x, y, back, out in self.seats()]
        return [str(self.completed + 1), *(lines[number] for number in numbers), *self.grid(numbers)]

    def read(self, seat: int, line: str) -> Order:
        """Return the order of a line; if it puts the seat out, the reason in the words of the contest's referee."""
        if line == "<T>":
            return "timeout"
        message = "(?: [ -~]+)?"
        if match := re.fullmatch(rf"(-?[0-9]{{1,9}}) +(-?[0-9]{{1,9}}){message}", line):
            x, y = int(match[1]), int(match[2])
            wrong = "x" if not 0 <= x < self.width else "y" if not 0 <= y < self.height else ""
            return f"InvalidInput {wrong}" if wrong else (x, y)
        if match := re.fullmatch(rf"[Bb][Aa][Cc][Kk] +(-?[0-9]{{1,9}}){message}", line):
            if not 1 <= int(match[1]) <= BACK_MAX:
                return "InvalidInput backRounds"
            return int(match[1]) if self.players[seat].back else "noBackInTimeLeft"
        return "InvalidInput format"


def judge(request: dict[str, Any]) -> dict[str, Any]:
    """Return the answer that ``games.back_to_the_code.judge`` should give."""
    limit = request["max"] or {2: 350, 3: 300, 4: 250}[request["n"]]
    match = Match(request["w"], request["h"], [(x, y) for x, y in request["starts"]], limit)
    states = [_answer_of(match)]
    for lines in request["rounds"]:
        if match.over:
            break
        orders = [
            None if player.out else match.read(seat, line)
            for seat, (player, line) in enumerate(zip(match.players, lines, strict=True))
        ]
        match.play(orders)
        lost = [order if isinstance(order, str) else None for order in orders]
        states.append(_answer_of(match) | {"lost": lost, "over": match.over})
    return {"states": states}


def _answer_of(match: Match) -> dict[str, Any]:
    return {
        "players": match.seats(),
        "grid": match.grid(range(len(match.players))),
        "scores": [player.counts[match.completed] for player in match.players],
        "completedRounds": match.completed,
        "realRound": match.played,
    }
