"""Predicts the next cells of two or three opponents: straight on or, after a BACK, those of before it."""

from __future__ import annotations

from back_to_the_code import HEIGHT, NEUTRAL, WIDTH, Cell, View

AHEAD = 4
"""Number of steps that are predicted."""


class Foresight:
    """The opponents' cells in each round so far."""

    def __init__(self) -> None:
        self._seen: dict[int, list[Cell]] = {}

    def look(self, view: View) -> set[Cell]:
        """Return the free cells that opponents will take within the next steps; none if there is only one opponent."""
        now = [player.cell for player in view.players[1:]]
        known = view.round in self._seen
        before = self._seen.get(view.round - 1, now)
        self._seen[view.round] = now
        if len(now) == 1:
            return set()
        if known:  # somebody went BACK
            again = [self._seen.get(view.round + step, []) for step in range(1, AHEAD + 1)]
            return {cell for cells in again for cell in cells if cell[0] >= 0}  # else it was out
        return {cell for here, last in zip(now, before, strict=True) for cell in _straight(view, here, last)}


def _straight(view: View, here: Cell, last: Cell) -> list[Cell]:
    """Return the free cells ahead of an opponent, up to the first cell that is not free."""
    (x, y), dx, dy = here, here[0] - last[0], here[1] - last[1]
    found: list[Cell] = []
    while abs(dx) + abs(dy) == 1 and len(found) < AHEAD:
        x, y = x + dx, y + dy
        if not (0 <= x < WIDTH and 0 <= y < HEIGHT) or view.owner((x, y)) != NEUTRAL:
            break
        found.append((x, y))
    return found
