"""Predicts the ways of other players, assuming that they fill neutral cells: straight on if they can, else turning."""

from __future__ import annotations

from back_to_the_code import HEIGHT, WIDTH, Cell, View
from grid import BOARD, bit, bits, cell_of, cross

Step = tuple[int, int]
STEPS_MAX = 80


class Foe:
    """One other player, as far as it has been seen."""

    def __init__(self, cell: Cell) -> None:
        left, upper = cell[0] <= WIDTH // 2, cell[1] < HEIGHT // 2
        self.cell = cell
        self.moves = cell[0] >= 0
        """False if the player is out or stood still in the last round; then it is expected to stay."""
        self.step: Step = (-1 if left else 1, 0)
        """The player's last step; at first one towards the nearer side."""
        self.turn = 1 if left == upper else -1
        """The player's last turn, 1 to the right or -1 to the left; at first one towards the nearer corner."""

    def see(self, cell: Cell) -> None:
        """Update what is known of the player, given its present cell."""
        step = cell[0] - self.cell[0], cell[1] - self.cell[1]
        if step in (turned(self.step, 1), turned(self.step, -1)):
            self.turn = 1 if step == turned(self.step, 1) else -1
        if abs(step[0]) + abs(step[1]) == 1:
            self.step = step
        self.moves = cell[0] >= 0 and step != (0, 0)
        self.cell = cell

    def way(self, neutral: int) -> list[int]:
        """Return the cell that the player will take with each of its next steps, 0 where it walks over owned cells."""
        here, step, turn, way = bit(self.cell), self.step, self.turn, []
        while len(way) < STEPS_MAX and neutral:
            for next_step in (step, turned(step, turn), turned(step, -turn), (-step[0], -step[1])):
                there = moved(here, next_step)
                if there & neutral:
                    turn = -turn if next_step == turned(step, -turn) else turn
                    step, here = next_step, there
                    way.append(here)
                    break
            else:
                distance, here = nearest(here, neutral)
                way += [0] * (distance - 1) + [here]
            neutral &= ~here
        return way


def turned(step: Step, turn: int) -> Step:
    """Return a step turned to the right (1) or left (-1)."""
    return -step[1] * turn, step[0] * turn


def moved(here: int, step: Step) -> int:
    """Return the neighbour to which a step leads from a cell."""
    (x, y), (dx, dy) = cell_of(here), step
    return bit((x + dx, y + dy))


def nearest(here: int, neutral: int) -> tuple[int, int]:
    """Return the distance to the nearest neutral cells, and the one of them that Olaf69's bot would go to.

    Of equally near cells it prefers those to the left to those to the right, then those above to those below.
    """
    distance, reached = 0, here
    while not reached & neutral:
        distance, reached = distance + 1, cross(reached) & BOARD
    x, y = cell_of(here)
    return distance, min(bits(reached & neutral), key=lambda cell: (cell_of(cell)[0] > x, cell_of(cell)[1] > y))


def claimed(foes: list[Foe], view: View, neutral: int) -> list[int]:
    """Return the set of cells that the others will have taken after each number of steps, from 0."""
    ways = [foe.way(neutral & ~bit(view.me.cell)) for foe in foes if foe.moves]
    cells, after = 0, [0]
    for number in range(STEPS_MAX):
        for way in ways:
            cells |= way[number] if number < len(way) else 0
        after.append(cells)
    return after
