"""The rules in plain Python, written for clarity; tests and benchmarks compare the fast rules with them.

A field is six columns, each a list of cells from the bottom up: 0 garbage, colours from 1.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

Field = list[list[int]]
Cell = tuple[int, int]
Move = tuple[int, int]
"""Column of the axis; the child above, right, below or left of it (0 to 3)."""

COLUMNS, VISIBLE = 6, 12
GARBAGE = 0


@dataclass(frozen=True)
class Tables:
    """The sizes and bonuses of a set of rules."""

    rows: int
    powers: tuple[int, ...]
    colours: dict[int, int]
    groups: dict[int, int]
    large: int
    """Bonus of a group of 11 or more."""


TSU = Tables(
    13,
    (0, 8, 16, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448, 480, 512),
    {1: 0, 2: 3, 3: 6, 4: 12},
    {4: 0, 5: 2, 6: 3, 7: 4, 8: 5, 9: 6, 10: 7},
    10,
)
SMASH = Tables(
    12,
    (0, 8, 16, 32, 64, 128, 256, 512, 1024),
    {1: 0, 2: 2, 3: 4, 4: 8, 5: 16},
    {4: 0, 5: 1, 6: 2, 7: 3, 8: 4, 9: 5, 10: 6},
    8,
)


def cell(columns: Field, at: Cell) -> int | None:
    """Return the content of a visible cell (column, row from 0); None if it is empty or not visible."""
    x, y = at
    return columns[x][y] if 0 <= x < COLUMNS and 0 <= y < min(VISIBLE, len(columns[x])) else None


def beside(at: Cell) -> Iterator[Cell]:
    """Yield the four neighbours of a cell."""
    x, y = at
    yield from ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1))


def groups(columns: Field) -> list[set[Cell]]:
    """Return all groups of four or more."""
    seen: set[Cell] = set()
    found = []
    for x, column in enumerate(columns):
        for y in range(min(VISIBLE, len(column))):
            if column[y] != GARBAGE and (x, y) not in seen:
                group = _group(columns, (x, y))
                seen |= group
                if len(group) >= 4:
                    found.append(group)
    return found


def _group(columns: Field, start: Cell) -> set[Cell]:
    group, edge = {start}, [start]
    while edge:
        for at in beside(edge.pop()):
            if at not in group and cell(columns, at) == cell(columns, start):
                group.add(at)
                edge.append(at)
    return group


def pop(columns: Field, number: int, tables: Tables = TSU) -> int:
    """Let a step of a chain pop, in place; return its score, 0 if nothing pops. Steps are numbered from 1."""
    popping = groups(columns)
    if not popping:
        return 0
    cells = set().union(*popping)
    power = tables.powers[min(number, len(tables.powers)) - 1]
    colours = tables.colours[len({cell(columns, at) for at in cells})]
    sizes = sum(tables.groups.get(len(group), tables.large) for group in popping)
    gone = cells | {near for at in cells for near in beside(at) if cell(columns, near) == GARBAGE}
    for x, column in enumerate(columns):
        column[:] = [puyo for y, puyo in enumerate(column) if (x, y) not in gone]
    return 10 * len(cells) * min(max(power + colours + sizes, 1), 999)


def resolve(columns: Field, tables: Tables = TSU) -> tuple[int, int]:
    """Let the whole chain pop, in place; return its steps and score."""
    steps = score = 0
    while gained := pop(columns, steps + 1, tables):
        steps += 1
        score += gained
    return steps, score


def falling(pair: Sequence[int], move: Move) -> list[tuple[int, int]]:
    """Return (column, colour) of both puyos, the one that falls first in front."""
    x, r = move
    puyos = [(x, pair[0]), (x + (0, 1, 0, -1)[r], pair[1])]
    return puyos[::-1] if r == 2 else puyos


def place(columns: Field, pair: Sequence[int], move: Move, tables: Tables = TSU) -> bool:
    """Let a pair fall, in place; return whether both puyos fit. If the first does not, neither is placed."""
    for x, colour in falling(pair, move):
        if len(columns[x]) >= tables.rows:
            return False
        columns[x].append(colour)
    return True


def placements() -> list[Move]:
    """Return all 22 placements, sorted."""
    return [(x, r) for x in range(COLUMNS) for r in range(4) if 0 <= x + (0, 1, 0, -1)[r] < COLUMNS]


def fitting(heights: Sequence[int]) -> list[Move]:
    """Return the placements that fit into the field in Smash the Code."""
    return [move for move in placements() if place([[0] * height for height in heights], (1, 1), move, SMASH)]


def reachable(heights: Sequence[int]) -> list[Move]:
    """Return the placements to which a pair can be moved in Tsu."""
    return [move for move in placements() if _reachable(heights, *move)] if heights[2] <= 11 else []


def _reachable(heights: Sequence[int], x: int, r: int) -> bool:
    far = x + 1 if r == 1 and x >= 2 else x - 1 if r == 3 and x <= 2 else x
    out = 1 if far > 2 else -1
    way = list(range(2 + out, far + out, out)) if far != 2 else []
    if heights[x] + (r == 2) > 12 or any(heights[column] > 12 for column in way):
        return False
    walls = [column for column in way if heights[column] == 12]
    if not walls or (heights[1] >= 12 and heights[3] >= 12):
        return True
    column = walls[0] - out
    while 0 <= column < COLUMNS and heights[column] < 11:
        column -= out
    return 0 <= column < COLUMNS and heights[column] == 11


def rate(tick: int) -> int:
    """Return the number of points that make one garbage puyo."""
    if tick < 128:
        return 70
    level = min((tick - 128) // 8, 13)
    return max(1, 70 >> (level + 1) // 2 if level % 2 else 52 >> level // 2)


@dataclass
class Player:
    """One side of a match."""

    field: Field = field(default_factory=lambda: [[] for _ in range(COLUMNS)])
    index: int = 0
    score: int = 0
    pending: int = 0
    fixed: int = 0
    carry: int = 0
    all_clear: bool = False
    chain: int = 0
    falls: int = 0
    dead: bool = False
    attack: int = 0
    """Garbage sent in the present tick."""
    finished: bool = False
    """Whether a chain ended in the present tick."""


@dataclass
class Match:
    """A match of Tsu."""

    pairs: Sequence[Sequence[int]]
    permutations: Sequence[Sequence[int]]
    players: tuple[Player, Player] = field(default_factory=lambda: (Player(), Player()))
    tick: int = 0

    @property
    def over(self) -> bool:
        """Whether a player is dead or all ticks are played."""
        return self.tick >= 400 or any(player.dead for player in self.players)

    def lines(self, seat: int) -> list[str]:
        """Return the lines of a question to a seat."""
        lines = [f"{self.tick} {rate(self.tick)}"]
        for player in (self.players[seat], self.players[1 - seat]):
            for ahead in range(3):
                axis, child = self.pairs[(player.index + ahead) % len(self.pairs)]
                lines.append(f"{axis} {child}")
            numbers = (player.score, player.pending, player.fixed, player.carry, int(player.all_clear), player.chain)
            lines.append(" ".join(map(str, numbers)))
            lines += picture(player.field)
        return lines

    def step(self, moves: Sequence[Move | None]) -> None:
        """Play one tick; the move of a player whose chain runs is None."""
        for player, move in zip(self.players, moves, strict=True):
            self._act(player, move)
        self._attack()
        for player in self.players:
            if not player.chain:
                self._rain(player)
        for player, other in zip(self.players, self.players[::-1], strict=True):
            if player.finished:
                other.fixed, other.pending = other.fixed + other.pending, 0
            player.dead = not player.chain and len(player.field[2]) >= 12
        self.tick += 1

    def _act(self, player: Player, move: Move | None) -> None:
        player.attack, player.finished = 0, False
        if move is not None:
            place(player.field, self.pairs[player.index % len(self.pairs)], move)
            player.index += 1
        gained = pop(player.field, player.chain + 1)
        if not gained:
            return
        player.chain += 1
        player.score += gained
        player.attack, player.carry = divmod(player.carry + gained, rate(self.tick))
        if player.chain == 1 and player.all_clear:
            player.attack += 30
            player.all_clear = False
        if not groups(player.field):
            player.chain, player.finished = 0, True
            player.all_clear |= not any(player.field)

    def _attack(self) -> None:
        for player in self.players:
            for store in ("pending", "fixed"):
                cancelled = min(player.attack, getattr(player, store))
                setattr(player, store, getattr(player, store) - cancelled)
                player.attack -= cancelled
        both = min(player.attack for player in self.players)
        for player, other in zip(self.players, self.players[::-1], strict=True):
            other.pending += player.attack - both

    def _rain(self, player: Player) -> None:
        falling = min(30, player.fixed)
        player.fixed -= falling
        odd = self.permutations[player.falls % len(self.permutations)][: falling % COLUMNS]
        player.falls += bool(odd)
        for x, column in enumerate(player.field):
            room = 13 - len(column)
            column += [GARBAGE] * min(room, falling // COLUMNS + (x in odd))


def picture(columns: Field, tables: Tables = TSU) -> list[str]:
    """Return the rows of a field as text, the topmost first."""
    return [
        "".join(str(column[y]) if y < len(column) else "." for column in columns) for y in reversed(range(tables.rows))
    ]


def search(columns: Field, pairs: Sequence[Sequence[int]]) -> int:
    """Place pairs in all ways, with their chains; return the number of resulting fields."""
    if not pairs:
        return 1
    total = 0
    for move in placements():
        after = copy.deepcopy(columns)
        place(after, pairs[0], move)
        resolve(after)
        total += search(after, pairs[1:])
    return total
