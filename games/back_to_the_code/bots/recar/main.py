"""recar: encloses the rectangle that gains most cells a step, or breaks into the opponent's one if that is better.

After the plan of Recar's bot, which won the contest: rectangles and L-shaped paths, blocking, walking, BACK, and
predictions with three and four players.
"""

from back_to_the_code import HEIGHT, NEUTRAL, OWN, WIDTH, Cell, View, neighbours, order, play
from corners import best_corner
from foresight import Foresight
from rectangles import Plan, Rectangle, Survey

BACK_ROUND = 21
"""In this round the bot goes BACK to the start if its beginning was bad."""

chosen: Rectangle | None = None
foresight = Foresight()


def decide(view: View) -> str:
    """Return an order."""
    global chosen
    future = foresight.look(view)
    survey = Survey(view, 0, future)
    corner = best_corner(view, survey.need, future)
    plans = [plan for plan in (survey.best(chosen), corner) if plan and plan.score > 1]
    best = max(plans, key=lambda plan: plan.score, default=None)
    chosen = plans[0].rectangle if plans else None
    if chosen and view.round == BACK_ROUND and view.me.has_back and is_begun_badly(view, chosen):
        return f"BACK {BACK_ROUND - 1}"
    goal = block(view, best) or (best.cells[0] if best else gather(view))
    return order(step(view, view.me.cell, goal))


def is_begun_badly(view: View, rectangle: Rectangle) -> bool:
    """Return whether the bot owns less than half of the rim of a rectangle."""
    rim = rectangle.rim()
    return 2 * sum(view.owner(cell) == OWN for cell in rim) < len(rim)


def block(view: View, mine: Plan | None) -> Cell | None:
    """Return a cell in the opponent's best rectangle if that has a better score than ours and is finished sooner."""
    foe = view.players[1].cell
    if len(view.players) > 2 or foe[0] < 0:
        return None
    his = Survey(view, 1).best()
    if his is None or his.rectangle is None or (mine and (his.score <= mine.score or his.steps >= mine.steps)):
        return None
    inside = [cell for cell in his.rectangle.cells() if view.owner(cell) == NEUTRAL]
    walls = [cell for cell in inside if any(view.owner(near) == "1" for near in neighbours(cell))]
    reached = [cell for cell in walls if distance(cell, view.me.cell) < his.steps]
    return min(reached, key=lambda cell: distance(cell, view.me.cell), default=None)


def gather(view: View) -> Cell:
    """Return the nearest free cell, preferring those without an opponent beside them."""
    here = view.me.cell
    free = [(x, y) for y in range(HEIGHT) for x in range(WIDTH) if view.rows[y][x] == NEUTRAL]
    foes = [player.cell for player in view.players[1:]]
    calm = [cell for cell in free if all(distance(cell, foe) > 1 for foe in foes)]
    return min(calm or free, key=lambda cell: distance(cell, here), default=here)


def step(view: View, here: Cell, target: Cell) -> Cell:
    """Return the next cell on the way to a target; of two, the one in the direction with more free cells."""
    (x, y), (u, v) = here, target
    if x == u or y == v:
        return target
    row = sum(view.rows[y][at] == NEUTRAL for at in range(min(x, u), max(x, u) + 1))
    column = sum(view.rows[at][x] == NEUTRAL for at in range(min(y, v), max(y, v) + 1))
    return (x + (1 if u > x else -1), y) if column <= row else (x, y + (1 if v > y else -1))


def distance(a: Cell, b: Cell) -> int:
    """Return the number of steps between two cells."""
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


play(decide)
