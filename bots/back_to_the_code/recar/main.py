"""recar: walls in the rectangle that brings most cells a step, and breaks into the opponent's if that is better.

After the plan of Recar's bot, which won the contest: his rectangles, blocking, walking, BACK, and what he foresaw of
three and four players. His L-shaped paths are left out. A rectangle in sight is kept while no other is clearly better.
"""

from heapq import nlargest
from itertools import cycle

from back_to_the_code import HEIGHT, NEUTRAL, OWN, WIDTH, Cell, View, neighbours, order, play
from foresight import Foresight
from rectangles import ALL, Rectangle, Survey, through

BACK_ROUND = 21
"""Then it looks whether the beginning was any good, and goes BACK to it if not."""
STABILITY = 1.1
KEPT = 200
"""The best rectangles of a round are looked at again in the next one."""
SLICE = 200
SLICES = 80
"""So many further ones are looked at in a round; the clock ends it only where a machine is slow."""

kept: list[Rectangle] = []
chosen: Rectangle | None = None
others = cycle(ALL)
foresight = Foresight()


def decide(view: View) -> str:
    """Return an order."""
    global chosen
    survey = Survey(view, 0, foresight.look(view))
    score, chosen = best(view, survey)
    if chosen and view.round == BACK_ROUND and view.me.has_back and is_begun_badly(view, chosen):
        return f"BACK {BACK_ROUND - 1}"
    return order(block(view, survey, score) or (towards(view, chosen) if chosen else gather(view)))


def is_begun_badly(view: View, rectangle: Rectangle) -> bool:
    """Say whether less than half of the rim of a rectangle is own."""
    rim = rectangle.rim()
    return 2 * sum(view.owner(cell) == OWN for cell in rim) < len(rim)


def best(view: View, survey: Survey) -> tuple[float, Rectangle | None]:
    """Return the best rectangle with its score, among those kept, those here, and as many others as time allows."""
    global kept
    found = {each: survey.score(each) for each in [*kept, *through(view.me.cell)]}
    for _ in range(len(ALL) // SLICE):
        if view.enough(SLICES):
            break
        found |= {each: survey.score(each) for each, _ in zip(others, range(SLICE), strict=False)}
    kept = nlargest(KEPT, found, key=found.__getitem__)
    if chosen in found:
        found[chosen] *= STABILITY
    top = max(found, key=found.__getitem__)
    return (found[top], top) if found[top] > 1 else (0.0, None)


def block(view: View, mine: Survey, score: float) -> Cell | None:
    """Return a cell in the opponent's best rectangle, if his is better than mine and sooner walled in."""
    foe = view.players[1].cell
    if len(view.players) > 2 or foe[0] < 0:
        return None
    survey = Survey(view, 1)
    rectangles = kept + through(foe)
    target = max(rectangles, key=survey.score)
    if survey.score(target) <= score or (chosen and survey.steps(target) >= mine.steps(chosen)):
        return None
    inside = [cell for cell in cells(target) if view.owner(cell) == NEUTRAL]
    walls = [cell for cell in inside if any(view.owner(near) == "1" for near in neighbours(cell))]
    reached = [cell for cell in walls if distance(cell, view.me.cell) < survey.steps(target)]
    return min(reached, key=lambda cell: distance(cell, view.me.cell), default=None)


def cells(rectangle: Rectangle) -> list[Cell]:
    """Return all cells of a rectangle."""
    left, top, right, bottom = rectangle
    return [(x, y) for y in range(top, bottom + 1) for x in range(left, right + 1)]


def towards(view: View, rectangle: Rectangle) -> Cell:
    """Return the next cell on the way round a rectangle."""
    here = view.me.cell
    free = [cell for cell in rectangle.rim() if view.owner(cell) == NEUTRAL]
    return step(view, here, min(free, key=lambda cell: distance(cell, here), default=here))


def gather(view: View) -> Cell:
    """Return the nearest free cell, if possible one that no opponent stands beside."""
    here = view.me.cell
    free = [(x, y) for y in range(HEIGHT) for x in range(WIDTH) if view.rows[y][x] == NEUTRAL]
    foes = [player.cell for player in view.players[1:]]
    calm = [cell for cell in free if all(distance(cell, foe) > 1 for foe in foes)]
    return step(view, here, min(calm or free, key=lambda cell: distance(cell, here), default=here))


def step(view: View, here: Cell, target: Cell) -> Cell:
    """Return the neighbour on the way to a cell: of two, one that is free, else the one that leaves the longer leg."""
    near = [cell for cell in neighbours(here) if distance(cell, target) < distance(here, target)]
    legs = {cell: max(abs(cell[0] - target[0]), abs(cell[1] - target[1])) for cell in near}
    return max(near, key=lambda cell: (view.owner(cell) == NEUTRAL, legs[cell]), default=target)


def distance(a: Cell, b: Cell) -> int:
    """Return the number of steps between two cells."""
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


play(decide)
