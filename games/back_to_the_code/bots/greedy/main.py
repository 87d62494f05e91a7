"""greedy: goes straight on over neutral cells; if there is none ahead, to the nearest one."""

from back_to_the_code import HEIGHT, NEUTRAL, WIDTH, Cell, View, order, play

last: Cell = (-1, -1)
"""The bot's cell a round ago."""


def decide(view: View) -> str:
    """Return an order."""
    global last
    target = choose(view, view.me.cell, last)
    last = view.me.cell
    return order(target)


def choose(view: View, here: Cell, before: Cell) -> Cell:
    """Return the nearest neutral cell; of equally near ones, that straight ahead, so that paths are long lines."""
    ahead = 2 * here[0] - before[0], 2 * here[1] - before[1]
    cells = [(x, y) for y in range(HEIGHT) for x in range(WIDTH)]
    neutral = [cell for cell in cells if view.owner(cell) == NEUTRAL and cell != here]
    return min(neutral, key=lambda cell: (distance(cell, here), distance(cell, ahead)), default=here)


def distance(a: Cell, b: Cell) -> int:
    """Return the number of steps between two cells."""
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


play(decide)
