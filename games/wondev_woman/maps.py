"""Generates maps and starting places from a seed, with exactly the random draws of the contest's generator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeVar

from core.seeding import draws
from games.wondev_woman.board import DIRECTIONS, Cell
from games.wondev_woman.state import Position

ItemT = TypeVar("ItemT")

RANDOM_SIZE: Final = 6
"""Side of the square in which random maps lie."""
_RANDOM_DRAWS_MAX: Final = 1_000

SQUARE: Final = frozenset((x, y) for x in range(5) for y in range(5))
DIAMOND: Final = frozenset((x, y) for x in range(7) for y in range(7) if abs(x - 3) + abs(y - 3) <= 3)
KINDS: Final = ("square", "diamond", "random")
"""The names of the kinds of map; the index is the contest's number."""


@dataclass(frozen=True, slots=True)
class Start:
    """A generated map with the starting places of the units."""

    kind: int
    """The kind of map, as an index in ``KINDS``."""
    cells: frozenset[Cell]
    units: tuple[tuple[Cell, ...], tuple[Cell, ...]]
    """Places of the units of each seat."""

    @property
    def position(self) -> Position:
        """The position before the first action."""
        return Position(1 + max(map(max, self.cells)), dict.fromkeys(self.cells, 0), self.units)


class JavaRandom:
    """The generator ``java.util.Random``, a linear congruential one of 48 bits, written after its documentation."""

    def __init__(self, seed: int) -> None:
        """Start from a seed, of which only the lower 48 bits matter."""
        self._state = (seed ^ 0x5DEECE66D) & (2**48 - 1)

    def _next(self) -> int:
        """Return 31 random bits."""
        self._state = (self._state * 0x5DEECE66D + 0xB) & (2**48 - 1)
        return self._state >> 17

    def below(self, bound: int) -> int:
        """Return ``nextInt(bound)``, for 0 < bound < 2**31."""
        bits = self._next()
        if bound & (bound - 1) == 0:
            return bound * bits >> 31
        while bits - bits % bound + bound > 2**31:  # the incomplete run of values at the end would favour low ones
            bits = self._next()
        return bits % bound

    def shuffle(self, items: list[ItemT]) -> None:
        """Shuffle a list in place, as ``Collections.shuffle`` does."""
        for end in range(len(items), 1, -1):
            other = self.below(end)
            items[end - 1], items[other] = items[other], items[end - 1]


def java_seed(seed: int) -> int:
    """Return the seed of ``JavaRandom`` for a match's seed; mixed, as similar seeds give similar numbers in Java."""
    return int(draws(seed, 0, 1)[0])


def generate(seed: int, units: int, kind: int | None = None, *, symmetric: bool = False) -> Start:
    """Return the map and starting places that the contest's referee generates from a seed of ``JavaRandom``.

    ``units`` is the number of units of each seat; ``kind`` an index in ``KINDS``, None: one is drawn; ``symmetric``
    tells whether the second seat starts on the mirror images of the first seat's cells.
    """
    random = JavaRandom(seed)
    # The cells of a random map: pairs of mirror images, drawn until there are enough and all are connected.
    enough = 25 + random.below(10)
    cells: set[Cell] = set()
    for _ in range(_RANDOM_DRAWS_MAX):
        x = random.below(RANDOM_SIZE)
        y = random.below(RANDOM_SIZE)
        cells |= {(x, y), (RANDOM_SIZE - 1 - x, y)}
        if len(cells) >= enough and _connected(cells):
            break
    maps = SQUARE, DIAMOND, frozenset(cells)  # drawn even if it is not used
    drawn = random.below(len(maps))
    kind = drawn if kind is None else kind
    places = sorted(maps[kind])
    random.shuffle(places)
    starts = _mirrored(places, units) if symmetric else (tuple(places[:units]), tuple(places[units : 2 * units]))
    return Start(kind, maps[kind], starts)


def _connected(cells: set[Cell]) -> bool:
    """Return whether all cells are connected in 8 directions."""
    start = next(iter(cells))
    reached, todo = {start}, [start]
    while todo:
        x, y = todo.pop()
        new = {(x + dx, y + dy) for dx, dy in DIRECTIONS.values()} & cells - reached
        reached |= new
        todo += new
    return len(reached) == len(cells)


def _mirrored(places: list[Cell], units: int) -> tuple[tuple[Cell, ...], tuple[Cell, ...]]:
    """Return as many places as a seat has units, the first whose mirror images are free, and these mirror images."""
    size = 1 + max(max(place) for place in places)
    pairs: list[tuple[Cell, Cell]] = []
    free = list(places)
    while len(pairs) < units:
        x, y = free.pop(0)
        mirror = size - 1 - x, y
        if mirror in free:
            free.remove(mirror)
            pairs.append(((x, y), mirror))
    return tuple(a for a, _ in pairs), tuple(b for _, b in pairs)
