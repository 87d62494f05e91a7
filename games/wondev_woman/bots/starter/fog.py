"""Finds all pairs of places where the enemy's two units may be, by everything seen so far.

After Agade's bot of the contest: each turn, the bot's last action and every possible action of the enemy are applied to
each possible pair, and results that contradict the present view are dropped. Of the enemy's actions, only those are
tried that could have raised the cell that has grown.
"""

from __future__ import annotations

from collections.abc import Iterator

from position import Action, Position, bit, bits, landings, position, spread
from wondev_woman import View

Pair = tuple[int, int]


class Fog:
    """The possible places of the enemy's units."""

    def __init__(self) -> None:
        self.pairs: set[Pair] = set()
        self._last: tuple[Position, Action] | None = None

    def look(self, view: View) -> list[Pair]:
        """Return the pairs of places that are possible now; at least one while there are cells for two units."""
        now = position(view)
        moved = {after for pair in self.pairs for after in self._after(pair, now)}
        every = set(_everywhere(view, now))
        self.pairs = moved & every or every
        return sorted(self.pairs)

    def acted(self, now: Position, action: Action | None) -> None:
        """Remember the bot's action of this turn; with None, which stands for an unknown one, start from nothing."""
        self._last = (now, action) if action else None
        self.pairs = self.pairs if action else set()

    def _after(self, pair: Pair, now: Position) -> Iterator[Pair]:
        """Yield the pairs that the enemy's last action may have made of a pair."""
        if self._last is None:
            return
        position = _played(*self._last, pair)
        grown = 0
        for old, new in zip(position.low, now.low, strict=True):
            grown |= old ^ new
        if not grown:
            yield from _cancelled(position)
        elif grown & (grown - 1) == 0 and grown & position.low[3] and position.built(grown) == now.low:
            yield from _built(position, grown, now)


def _played(before: Position, action: Action, pair: Pair) -> Position:
    """Return the position after the bot's action; if a hidden enemy is on its far cell, nothing is built."""
    position = Position(before.low, (*before.units[:2], *pair))
    if not action.far & (pair[0] | pair[1]):
        return position.after(0, action)
    if action.push:
        return position
    return Position(position.low, position.after(0, action).units)


def _built(position: Position, grown: int, now: Position) -> Iterator[Pair]:
    """Yield the pairs after an action of the enemy that has raised a cell."""
    pair, taken = position.units[2:], sum(position.units)
    landed = sum(now.units[:2]) & ~sum(position.units[:2])
    if landed:
        if any(landed & landings(unit, grown) for unit in pair if unit & spread(grown) & ~grown):
            yield pair
        return
    for number, unit in enumerate(pair):
        if not grown & taken & ~unit:
            yield from _stepped(position, number, spread(grown) & ~grown)


def _cancelled(position: Position) -> Iterator[Pair]:
    """Yield the pairs after an action of the enemy that raised no cell: it met a hidden unit, or the enemy is out."""
    pair = position.units[2:]
    yield pair
    hidden = sum(position.units[:2]) & ~spread(pair[0] | pair[1])
    for number in (0, 1):
        yield from _stepped(position, number, spread(hidden))


def _stepped(position: Position, number: int, wanted: int) -> Iterator[Pair]:
    """Yield the pairs after one of the enemy's units has stepped to a cell in ``wanted``."""
    pair = position.units[2:]
    free = position.climb(pair[number]) & ~sum(position.units)
    for cell in bits(spread(pair[number]) & free & wanted):
        yield (cell, pair[1]) if number == 0 else (pair[0], cell)


def _everywhere(view: View, now: Position) -> Iterator[Pair]:
    """Yield all pairs of places that agree with the present view."""
    dark = now.low[3] & ~spread(now.units[0] | now.units[1])
    choices = [[bit(foe)] if foe else list(bits(dark)) for foe in view.foes]
    first, second = choices if len(choices) == 2 else (*choices, [0])
    return ((a, b) for a in first for b in second if a != b)
