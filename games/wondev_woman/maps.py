"""Maps and starting places, as the contest's generator makes them from a seed, draw for draw."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeVar

from core.seeding import draws
from games.wondev_woman.board import DIRECTIONS, Cell
from games.wondev_woman.state import Position

ItemT = TypeVar("ItemT")

RANDOM_SIZE: Final = 6
"""Side of the box in which random maps lie."""
_RANDOM_DRAWS_MAX: Final = 1_000

SQUARE: Final = frozenset((x, y) for x in range(5) for y in range(5))
DIAMOND: Final = frozenset((x, y) for x in range(7) for y in range(7) if abs(x - 3) + abs(y - 3) <= 3)
KINDS: Final = ("square", "diamond", "random")
"""Names of the kinds of map, by the contest's numbers."""


@dataclass(frozen=True, slots=True)
class Start:
    """A board before the first action."""

    kind: int
    """Which of ``KINDS``."""
    cells: frozenset[Cell]
    units: tuple[tuple[Cell, ...], tuple[Cell, ...]]
    """Places of the units of each seat."""

    @property
    def position(self) -> Position:
        """The board in plain Python."""
        return Position(1 + max(map(max, self.cells)), dict.fromkeys(self.cells, 0), self.units)


class JavaRandom:
    """The numbers of ``java.util.Random``, after its documentation: a linear congruential generator of 48 bits."""

    def __init__(self, seed: int) -> None:
        """Set up; only the lower 48 bits of the seed matter."""
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
        while bits - bits % bound + bound > 2**31:  # the last, incomplete run of values would favour low ones
            bits = self._next()
        return bits % bound

    def shuffle(self, items: list[ItemT]) -> None:
        """Do what ``Collections.shuffle`` does."""
        for end in range(len(items), 1, -1):
            other = self.below(end)
            items[end - 1], items[other] = items[other], items[end - 1]


def java_seed(seed: int) -> int:
    """Return the generator's seed for a match's seed: mixed, as Java's draws from neighbouring seeds are alike."""
    return int(draws(seed, 0, 1)[0])


def generate(seed: int, units: int, kind: int | None = None, *, symmetric: bool = False) -> Start:
    """Return the start that the contest's referee makes of a seed.

    Args:
        seed: of ``JavaRandom``.
        units: of each seat.
        kind: which of ``KINDS``; None: drawn.
        symmetric: whether the second seat starts as the first one's mirror image.
    """
    random = JavaRandom(seed)
    maps = SQUARE, DIAMOND, _random_map(random)  # drawn even if it is not used
    drawn = random.below(len(maps))
    kind = drawn if kind is None else kind
    places = sorted(maps[kind])
    random.shuffle(places)
    starts = _mirrored(places, units) if symmetric else (tuple(places[:units]), tuple(places[units : 2 * units]))
    return Start(kind, maps[kind], starts)


def _random_map(random: JavaRandom) -> frozenset[Cell]:
    """Draw cells and their mirror images until there are enough of them and they hang together."""
    enough = 25 + random.below(10)
    cells: set[Cell] = set()
    for _ in range(_RANDOM_DRAWS_MAX):
        x = random.below(RANDOM_SIZE)
        y = random.below(RANDOM_SIZE)
        cells |= {(x, y), (RANDOM_SIZE - 1 - x, y)}
        if len(cells) >= enough and _connected(cells):
            break
    return frozenset(cells)


def _connected(cells: set[Cell]) -> bool:
    """Tell whether each cell can be reached from each other, in 8 directions."""
    start = next(iter(cells))
    reached, todo = {start}, [start]
    while todo:
        x, y = todo.pop()
        new = {(x + dx, y + dy) for dx, dy in DIRECTIONS.values()} & cells - reached
        reached |= new
        todo += new
    return len(reached) == len(cells)


def _mirrored(places: list[Cell], units: int) -> tuple[tuple[Cell, ...], tuple[Cell, ...]]:
    """Take the first places whose mirror images are still free."""
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
