"""The bot that ``manage.py demo`` uploads: every agent takes the best cell it can reach, and breaks foreign walls."""

import random
import sys


def read():
    """Return the numbers of the next line."""
    return [int(word) for word in next(sys.stdin).split()]


def best_order(x, y, taken):
    """Return the order of the agent at (x, y), (-1, -1) being off the board; `taken` are cells others go to."""
    anywhere = [(cx, cy) for cx in range(width) for cy in range(height)]
    near = [(cx, cy) for cx, cy in anywhere if max(abs(cx - x), abs(cy - y)) == 1]
    choices = [(worth(cx, cy), cx, cy) for cx, cy in (near if x >= 0 else anywhere) if (cx, cy) not in taken]
    if not choices:
        return "NONE"
    _, cx, cy = max(choices)
    taken.add((cx, cy))
    if x < 0:
        return f"PUT {cx} {cy}"
    return f"REMOVE {cx} {cy}" if foreign(cx, cy) else f"MOVE {cx} {cy}"


def foreign(x, y):
    """Tell whether a foreign wall stands there."""
    return field[y][x] in "ABCD" and field[y][x] != own


def worth(x, y):
    """Return what a cell is worth to us now; a little chance keeps two such bots from colliding for ever."""
    return (-20 if field[y][x] == own else points[y][x]) + random.random()


seat, players, width, height, agents, turns = read()
own = "ABCD"[seat]
points = [read() for _ in range(height)]
for _ in range(turns):
    read()  # the turn's number
    for _ in range(players):
        read()  # wall and area points
    field = [next(sys.stdin).strip() for _ in range(height)]
    places = [read() for _ in range(players * agents)]
    next(sys.stdin)  # result codes of the last turn
    mine = places[seat * agents : (seat + 1) * agents]
    taken = {(x, y) for x, y in places}
    for x, y in mine:
        print(best_order(x, y, taken))
    sys.stdout.flush()
